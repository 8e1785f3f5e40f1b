<?php
// Run before each page of DokuWiki, and where it is filled: where its state lies, who is signed
// in, and the language that the browser asks for.
$state = getenv('STATE');
define('DOKU_MAIN_CONF', "$state/conf/");
define('DOKU_CONF', "$state/conf/");
$_SERVER['PHP_AUTH_USER'] = 'maria';
$_SERVER['PHP_AUTH_PW'] = 'maria';
$asked = strtok($_SERVER['HTTP_ACCEPT_LANGUAGE'] ?? 'en', ',;-');
define('ASKED_LANGUAGE', ctype_alpha($asked) ? strtolower($asked) : 'en');
// What a wiki does by itself after a page was shown, such as trimming its recent changes, would
// change what the next page shows.
if (basename($_SERVER['SCRIPT_NAME'] ?? '') === 'taskrunner.php') {
    header('Content-Type: image/gif');
    exit(base64_decode('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAEALAAAAAABAAEAAAIBTAA7'));
}
