"""Exchanges keys and signatures of TUF and envelopes of DSSE with the package securesystemslib.

Arguments: the folder with the files of moissanite-tokens, and that for the files of this program.
"""

import json
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import mldsa
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import UnverifiedSignatureError
from securesystemslib.formats import encode_canonical
from securesystemslib.signer import CryptoSigner, Key, Signature, SSlibKey

ours, theirs = Path(sys.argv[1]), Path(sys.argv[2])
payload = (ours / "payload").read_bytes()
PAYLOAD_TYPE = "application/vnd.example+json"
CANONICAL = encode_canonical({"version": 1, "_type": "ä\n"}).encode()


def refused(verify, error):
    """Checks that a call raises an error."""
    try:
        verify()
    except error:
        return
    raise AssertionError("a changed signature was accepted")


for alg in ("ML-DSA-44", "ML-DSA-65", "ML-DSA-87"):

    def text(name):
        return (ours / f"{alg}.{name}").read_text()

    scheme = f"{alg.lower()}/1"
    keyid = text("tuf.keyid")
    key = Key.from_dict(keyid, json.loads(text("tuf.key")))
    public = load_pem_public_key(key.keyval["public"].encode())
    assert key.scheme == scheme
    assert SSlibKey.from_crypto(public, scheme=scheme).keyid == keyid
    signature = Signature(keyid, text("tuf.sig"))
    key.verify_signature(signature, CANONICAL)
    refused(lambda: key.verify_signature(signature, CANONICAL + b" "), UnverifiedSignatureError)

    envelope = Envelope.from_dict(json.loads(text("dsse.json")))
    assert (envelope.payload, envelope.payload_type) == (payload, PAYLOAD_TYPE)
    signature = bytes.fromhex(envelope.signatures["ours"].signature)
    public.verify(signature, envelope.pae())
    refused(lambda: public.verify(signature, envelope.pae() + b" "), InvalidSignature)

    def write(name, contents):
        (theirs / f"{alg}.{name}").write_text(contents)

    private = getattr(mldsa, alg.replace("-", "") + "PrivateKey").generate()
    signer = CryptoSigner(private, SSlibKey.from_crypto(private.public_key(), scheme=scheme))
    write("tuf.key", json.dumps(signer.public_key.to_dict()))
    write("tuf.keyid", signer.public_key.keyid)
    write("tuf.sig", signer.sign(CANONICAL).signature)

    # The package hashes the encoding of an envelope as if it were metadata.
    envelope = Envelope(payload, PAYLOAD_TYPE, {})
    envelope.sign(signer)
    write("tuf.dsse.json", json.dumps(envelope.to_dict()))
    signature = Signature("theirs", private.sign(envelope.pae()).hex())
    envelope.signatures["theirs"] = signature
    write("dsse.json", json.dumps(envelope.to_dict()))
