<?php
// The settings of MediaWiki: where its state lies, who is signed in, the language that the
// browser asks for, and that it asks for nothing outside.
use MediaWiki\Session\SessionInfo;
use MediaWiki\Session\SessionProvider;
use MediaWiki\Session\UserInfo;

$state = getenv('STATE');
$wgSitename = 'North Quay';
$wgMetaNamespace = 'North_Quay';
$wgServer = 'http://' . ($_SERVER['HTTP_HOST'] ?? 'localhost');
$wgScriptPath = '';
$wgUsePathInfo = false;
$wgResourceBasePath = '';
$wgLogos = ['1x' => '/resources/assets/change-your-logo.svg'];
$wgDBtype = 'sqlite';
$wgDBname = 'wiki';
$wgSQLiteDataDir = "$state/data";
$wgUploadDirectory = "$state/images";
$wgCacheDirectory = "$state/cache";
$wgTmpDirectory = "$state/tmp";
$wgLocalisationCacheConf = [
    'class' => LocalisationCache::class,
    'store' => 'array',
    'storeClass' => false,
    'storeDirectory' => "$state/cache",
    'storeServer' => [],
    'forceRecache' => false,
    'manualRecache' => true,
];
$wgMainCacheType = CACHE_NONE;
$wgMessageCacheType = CACHE_NONE;
$wgParserCacheType = CACHE_NONE;
$wgSessionCacheType = CACHE_DB;
$wgSecretKey = str_repeat('0', 64);
$wgAuthenticationTokenVersion = '1';
$wgLanguageCode = 'en';
$wgLocaltimezone = 'UTC';
$wgEnableEmail = false;
$wgPingback = false;
$wgJobRunRate = 0;
$wgEnableUploads = true;
$wgGitBin = false;
$wgShellLocale = 'C.UTF-8';
$wgRCMaxAge = 31536000;
$wgDefaultUserOptions['rcdays'] = 90;
$wgDefaultUserOptions['watchlistdays'] = 30;
$wgDefaultUserOptions['watchdefault'] = 1;
// What the lists of changes would save of themselves when they are first opened.
$wgDefaultUserOptions['rcfilters-limit'] = 50;
$wgDefaultUserOptions['rcfilters-rc-collapsed'] = 0;
$wgDefaultUserOptions['rcfilters-wl-collapsed'] = 0;
$wgDefaultUserOptions['rcfilters-saved-queries'] = '{"version":"2"}';
$wgDefaultUserOptions['rcfilters-wl-saved-queries'] = '{"version":"2"}';
$wgDefaultSkin = 'vector-2022';
wfLoadSkins(['Vector', 'MonoBook', 'Timeless']);
wfLoadExtensions(['CategoryTree', 'Cite', 'InputBox', 'Nuke', 'ParserFunctions', 'WikiEditor']);

$wgHooks['UserGetLanguageObject'][] = static function ($user, &$code): void {
    $asked = strtolower(strtok($_SERVER['HTTP_ACCEPT_LANGUAGE'] ?? 'en', ',;'));
    $code = $asked === 'zh-cn' || $asked === 'zh' ? 'zh-cn' : strtok($asked, '-');
};

class AlwaysSignedIn extends SessionProvider
{
    public function provideSessionInfo(WebRequest $request)
    {
        return new SessionInfo(SessionInfo::MAX_PRIORITY, [
            'provider' => $this,
            'id' => str_repeat('0', 32),
            'idIsSafe' => true,
            'persisted' => true,
            'userInfo' => UserInfo::newFromName('Maria', true),
        ]);
    }

    public function persistsSessionId()
    {
        return false;
    }

    public function canChangeUser()
    {
        return false;
    }

    public function persistSession(MediaWiki\Session\SessionBackend $session, WebRequest $request)
    {
    }

    public function unpersistSession(WebRequest $request)
    {
    }
}

if (PHP_SAPI !== 'cli') {
    $wgSessionProviders = [AlwaysSignedIn::class => ['class' => AlwaysSignedIn::class, 'args' => []]];
}
