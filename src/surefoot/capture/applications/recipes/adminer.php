<?php
// Run before each page of Adminer: the database lies in the state, its owner is signed in, and
// a page knows nothing of the one before, nor of newer versions.
$state = getenv('STATE');
chdir($state);
$_SERVER['SCRIPT_FILENAME'] = "$state/adminer.php"; // beside which a database is looked for
$_COOKIE = ['adminer_version' => '4.8.1'];
session_name('adminer_sid');
session_id('maria');
session_start(['cache_limiter' => '', 'use_cookies' => '0']);
$_SESSION = ['token' => 1, 'pwds' => ['sqlite' => ['' => ['maria' => '']]]];

function adminer_object()
{
    class NorthQuay extends Adminer
    {
        function login($login, $password)
        {
            return true;
        }
    }
    return new NorthQuay();
}
