"""Exchanges encrypted private keys with the package cryptography.

Arguments: the folder with the files of the command moissanite, and that for the files of this program.
"""

import sys
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ed25519, mldsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
    load_pem_private_key,
)

ours, theirs = Path(sys.argv[1]), Path(sys.argv[2])
passphrase = (ours / "passphrase").read_bytes().rstrip(b"\n")
KEYS = {
    "ml-dsa-44": mldsa.MLDSA44PrivateKey,
    "ml-dsa-65": mldsa.MLDSA65PrivateKey,
    "ml-dsa-87": mldsa.MLDSA87PrivateKey,
    "ed25519": ed25519.Ed25519PrivateKey,
}


def public(key):
    """Returns the public key as PEM."""
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


for algorithm, kind in KEYS.items():
    pem = (ours / f"{algorithm}.pem").read_bytes()
    der = (ours / f"{algorithm}.der").read_bytes()
    expected = (ours / f"{algorithm}.public.pem").read_bytes()
    assert public(load_pem_private_key(pem, passphrase)) == expected
    assert public(load_der_private_key(der, passphrase)) == expected
    for wrong in (b"wrong", None):
        try:
            load_pem_private_key(pem, wrong)
        except (ValueError, TypeError):
            continue
        raise AssertionError(f"{algorithm} opens with the passphrase {wrong}")

    key = kind.generate()
    encryption = BestAvailableEncryption(passphrase)
    for encoding, ending in ((Encoding.PEM, "pem"), (Encoding.DER, "der")):
        written = key.private_bytes(encoding, PrivateFormat.PKCS8, encryption)
        (theirs / f"{algorithm}.best.{ending}").write_bytes(written)
    (theirs / f"{algorithm}.public.pem").write_bytes(public(key))
