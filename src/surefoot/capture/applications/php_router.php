<?php
// What PHP's own server does not know is not there: it would show the first page instead.
$path = $_SERVER['DOCUMENT_ROOT'];
foreach (explode('/', rawurldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH))) as $name) {
    $path = rtrim($path, '/') . "/$name";
    if (is_file($path)) {
        return false;
    }
    if (!is_dir($path)) {
        http_response_code(404);
        echo 'There is no such page.';
        return true;
    }
}
return false;
