<?php
// Makes the address of every vector with nothing but PHP: prints [[of the payload, of the parameters], …].

function payload_of($parameters)
{
    return rtrim(strtr(base64_encode(http_build_query(array_column($parameters, 1, 0))), '+/', '-_'), '=');
}

function address($vector, $payload)
{
    $start = "/i/{$vector['asset']}/{$vector['key']}/$payload";
    $sig = substr(hash_hmac('sha256', "GET $start.{$vector['ext']}", $vector['secret']), 0, 32);
    return "$start/$sig.{$vector['ext']}";
}

$content = json_decode(file_get_contents($argv[1]), true);
$vectors = [...$content['vectors'], ...$content['otherSpellings']];
echo json_encode(array_map(
    fn($vector) => [address($vector, $vector['payload']), address($vector, payload_of($vector['parameters']))],
    $vectors,
));
