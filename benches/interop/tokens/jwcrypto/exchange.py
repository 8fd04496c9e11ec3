"""Exchanges keys and tokens with the package jwcrypto, whose signatures come from cryptography.

Arguments: the folder with the files of moissanite-tokens, and that for the files of this program.
"""

import json
import sys
from pathlib import Path

from jwcrypto import jwk, jws
from jwcrypto.common import json_encode

ours, theirs = Path(sys.argv[1]), Path(sys.argv[2])
payload = (ours / "payload").read_bytes()


def verified(token, key, detached=None):
    """Returns the payload of a token, or raises an error."""
    found = jws.JWS()
    found.deserialize(token)
    found.verify(key, detached_payload=detached)
    return found


for alg in ("ML-DSA-44", "ML-DSA-65", "ML-DSA-87"):

    def text(name):
        return (ours / f"{alg}.{name}").read_text()

    key = jwk.JWK.from_json(text("public.jwk"))
    for name in ("jws", "json"):
        found = verified(text(name), key)
        assert found.payload == payload
        assert json.loads(found.objects["protected"]) == {"alg": alg, "kid": "ours", "typ": "test"}
    verified(text("detached.jws"), key, payload)
    try:
        verified(text("changed.jws"), key)
    except jws.InvalidJWSSignature:
        pass
    else:
        raise AssertionError("a changed token was accepted")
    assert key.thumbprint() == text("thumbprint")
    signer = jwk.JWK.from_json(text("private.jwk"))
    again = jws.JWS(payload)
    again.add_signature(signer, None, json_encode({"alg": alg}), None)
    assert verified(again.serialize(compact=True), key).payload == payload

    def write(name, contents):
        (theirs / f"{alg}.{name}").write_text(contents)

    pair = jwk.JWK.generate(kty="AKP", alg=alg, kid="theirs", use="sig")
    write("public.jwk", pair.export_public())
    write("private.jwk", pair.export_private())
    write("thumbprint", pair.thumbprint())
    protected = json_encode({"alg": alg, "kid": "theirs", "typ": "test"})
    token = jws.JWS(payload)
    token.add_signature(pair, None, protected, json_encode({"x": 1}))
    write("json", token.serialize())
    token = jws.JWS(payload)
    token.add_signature(pair, None, protected, None)
    write("jws", token.serialize(compact=True))
    token.detach_payload()
    write("detached.jws", token.serialize(compact=True))

# The examples of RFC 9964, appendix A.1, which are in the tests of the package.
from jwcrypto.tests_mldsa import RFC9964_VECTORS  # noqa: E402

for alg, vector in RFC9964_VECTORS.items():
    (theirs / f"{alg}.rfc9964.kid").write_text(vector["kid"])
    (theirs / f"{alg}.rfc9964.pub").write_text(vector["raw_public_key"])
    (theirs / f"{alg}.rfc9964.jws").write_text(vector["jws"])
