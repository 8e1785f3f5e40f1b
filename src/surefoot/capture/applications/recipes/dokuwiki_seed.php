<?php
// Save the pages that standard input names, as JSON: [name, text, summary, who].
$_SERVER = ['REMOTE_ADDR' => '127.0.0.1', 'HTTP_HOST' => 'localhost', 'SERVER_PORT' => '80'] + $_SERVER;
define('DOKU_INC', '/usr/share/dokuwiki/');
define('NOSESSION', 1);
require __DIR__ . '/dokuwiki.php';
require DOKU_INC . 'inc/init.php';
// A file's own time is when its page was changed.
$EVENT_HANDLER->register_hook('IO_WIKIPAGE_WRITE', 'AFTER', null, function ($event) {
    touch($event->data[0][0], time());
    clearstatcache();
});
foreach (json_decode(stream_get_contents(STDIN), true) as [$name, $text, $summary, $who]) {
    $_SERVER['REMOTE_USER'] = $who;
    saveWikiText($name, $text, $summary);
    idx_addPage($name, false, true);
}
