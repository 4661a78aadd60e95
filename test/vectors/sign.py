"""Signs every vector of signing.json with nothing but Python's standard library and prints [[payload, sig], ...]."""

import hashlib
import hmac
import json
import sys
from urllib.parse import quote


def canonical_query(pairs):
    encoded = ((quote(name, safe="-._~"), quote(value, safe="-._~")) for name, value in sorted(pairs, key=lambda pair: pair[0]))
    return "&".join(f"{name}={value}" for name, value in encoded)


def payload(vector):
    if "t" in vector:
        return f"{vector['t']}.{vector['method']} {vector['path']}"
    return f"{vector['method']} {vector['path']}?{canonical_query(vector['parameters'])}"


def sign(secret, text):
    return hmac.new(secret.encode(), text.encode(), hashlib.sha256).hexdigest()


with open(sys.argv[1], encoding="utf-8") as file:
    vectors = json.load(file)["vectors"]
print(json.dumps([[payload(v), sign(v["secret"], payload(v))] for v in vectors]))
