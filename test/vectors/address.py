"""Makes the address of every vector with nothing but Python's standard library: prints [[of the payload, of the parameters], ...]."""

import hmac
import json
import sys
from base64 import urlsafe_b64encode
from urllib.parse import urlencode


def payload_of(parameters):
    return urlsafe_b64encode(urlencode(dict(parameters)).encode()).decode().rstrip("=")


def address(vector, payload):
    start = f"/i/{vector['asset']}/{vector['key']}/{payload}"
    text = f"GET {start}.{vector['ext']}"
    sig = hmac.new(vector["secret"].encode(), text.encode(), "sha256").hexdigest()[:32]
    return f"{start}/{sig}.{vector['ext']}"


with open(sys.argv[1], encoding="utf-8") as file:
    content = json.load(file)
vectors = content["vectors"] + content["otherSpellings"]
print(json.dumps([[address(v, v["payload"]), address(v, payload_of(v["parameters"]))] for v in vectors]))
