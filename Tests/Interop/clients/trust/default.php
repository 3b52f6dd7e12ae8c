<?php
// Asks the server for anything, with the roots that PHP finds by itself.
$curl = curl_init('https://localhost:' . getenv('PORT') . '/');
curl_setopt($curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
if (curl_exec($curl) === false) {
    fwrite(STDERR, curl_error($curl) . "\n");
    exit(1);
}
echo 'verified ', curl_getinfo($curl, CURLINFO_HTTP_VERSION), "\n";
