<?php
// Sends a push to Apple's host, with the roots that PHP finds by itself.
$curl = curl_init('https://' . getenv('APNS_HOST') . '/3/device/' . getenv('DEVICE'));
curl_setopt($curl, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS);
curl_setopt($curl, CURLOPT_RETURNTRANSFER, true);
curl_setopt($curl, CURLOPT_POSTFIELDS, '{"aps":{"alert":"PHP"}}');
curl_setopt($curl, CURLOPT_HTTPHEADER, ['authorization: bearer ' . getenv('PROVIDER_TOKEN'), 'apns-topic: com.example.app']);
if (curl_exec($curl) === false) {
    fwrite(STDERR, curl_error($curl) . "\n");
    exit(1);
}
echo curl_getinfo($curl, CURLINFO_HTTP_CODE), "\n";
