// Exchanges keys and messages with the modules go-cose (structures of COSE), fxamacker/cbor (CBOR) and
// CIRCL (ML-DSA).
//
// Arguments: the folder with the files of moissanite-tokens, and that for the files of this program.
package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/cloudflare/circl/sign"
	"github.com/cloudflare/circl/sign/schemes"
	"github.com/fxamacker/cbor/v2"
	"github.com/veraison/go-cose"
)

// key is a COSE_Key of type AKP. The members are in the order of the deterministic encoding.
type key struct {
	Kty  int64  `cbor:"1,keyasint"`
	Kid  []byte `cbor:"2,keyasint,omitempty"`
	Alg  int64  `cbor:"3,keyasint"`
	Pub  []byte `cbor:"-1,keyasint"`
	Priv []byte `cbor:"-2,keyasint,omitempty"`
}

// signer signs with a key of CIRCL.
type signer struct {
	alg cose.Algorithm
	key sign.PrivateKey
}

func (s signer) Algorithm() cose.Algorithm { return s.alg }

func (s signer) Sign(_ io.Reader, content []byte) ([]byte, error) {
	return s.key.Scheme().Sign(s.key, content, nil), nil
}

// verifier verifies with a key of CIRCL.
type verifier struct {
	alg cose.Algorithm
	key sign.PublicKey
}

func (v verifier) Algorithm() cose.Algorithm { return v.alg }

func (v verifier) Verify(content, signature []byte) error {
	if !v.key.Scheme().Verify(v.key, content, signature, nil) {
		return errors.New("the signature is not valid")
	}
	return nil
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func require(condition bool, message string) {
	if !condition {
		panic(message)
	}
}

func read(parts ...string) []byte {
	contents, err := os.ReadFile(filepath.Join(parts...))
	check(err)
	return contents
}

// readKey reads a COSE_Key strictly.
func readKey(contents []byte) key {
	mode, err := cbor.DecOptions{DupMapKey: cbor.DupMapKeyEnforcedAPF, ExtraReturnErrors: cbor.ExtraDecErrorUnknownField}.DecMode()
	check(err)
	var found key
	check(mode.Unmarshal(contents, &found))
	require(found.Kty == 7, "the key type is not AKP")
	return found
}

func encode(value any) []byte {
	mode, err := cbor.CoreDetEncOptions().EncMode()
	check(err)
	contents, err := mode.Marshal(value)
	check(err)
	return contents
}

// thumbprint computes the thumbprint of RFC 9679.
func thumbprint(of key) []byte {
	digest := sha256.Sum256(encode(key{Kty: of.Kty, Alg: of.Alg, Pub: of.Pub}))
	return digest[:]
}

func exchange(ours, theirs, name string, alg cose.Algorithm) {
	scheme := schemes.ByName(name)
	payload, aad := read(ours, "payload"), read(ours, "aad")
	file := func(kind string) []byte { return read(ours, name+"."+kind) }

	// Their keys and messages.
	found := readKey(file("public.cbor"))
	require(found.Alg == int64(alg) && string(found.Kid) == "ours", "another algorithm or identifier")
	public, err := scheme.UnmarshalBinaryPublicKey(found.Pub)
	check(err)
	var message cose.Sign1Message
	check(message.UnmarshalCBOR(file("sign1")))
	check(message.Verify(aad, verifier{alg, public}))
	require(bytes.Equal(message.Payload, payload), "another payload")
	kid, _ := message.Headers.Protected[cose.HeaderLabelKeyID].([]byte)
	require(string(kid) == "ours", "another identifier in the message")
	require(message.Verify(nil, verifier{alg, public}) != nil, "another external data was accepted")
	var detached cose.Sign1Message
	check(detached.UnmarshalCBOR(file("detached.sign1")))
	require(detached.Payload == nil, "the payload is not detached")
	detached.Payload = payload
	check(detached.Verify(aad, verifier{alg, public}))
	var changed cose.Sign1Message
	check(changed.UnmarshalCBOR(file("changed.sign1")))
	require(changed.Verify(aad, verifier{alg, public}) != nil, "a changed message was accepted")
	require(bytes.Equal(thumbprint(found), file("thumbprint.bin")), "another thumbprint")
	// The private key yields the public one.
	private := readKey(file("private.cbor"))
	derived, _ := scheme.DeriveKey(private.Priv)
	require(derived.Equal(public), "another public key")

	// Keys and messages for them.
	seed := make([]byte, scheme.SeedSize())
	_, err = rand.Read(seed)
	check(err)
	public, secret := scheme.DeriveKey(seed)
	encoded, err := public.MarshalBinary()
	check(err)
	pair := key{Kty: 7, Kid: []byte("theirs"), Alg: int64(alg), Pub: encoded}
	write := func(kind string, contents []byte) {
		check(os.WriteFile(filepath.Join(theirs, name+"."+kind), contents, 0o600))
	}
	write("public.cbor", encode(pair))
	write("thumbprint.bin", thumbprint(pair))
	pair.Priv = seed
	write("private.cbor", encode(pair))
	headers := cose.Headers{
		Protected: cose.ProtectedHeader{
			cose.HeaderLabelAlgorithm:   alg,
			cose.HeaderLabelContentType: "text/plain",
		},
		Unprotected: cose.UnprotectedHeader{cose.HeaderLabelKeyID: []byte("theirs")},
	}
	signed, err := cose.Sign1(rand.Reader, signer{alg, secret}, headers, payload, aad)
	check(err)
	write("sign1", signed)
	var untagged cose.UntaggedSign1Message
	untagged.Headers, untagged.Payload = headers, payload
	check(untagged.Sign(rand.Reader, aad, signer{alg, secret}))
	contents, err := untagged.MarshalCBOR()
	check(err)
	write("untagged.sign1", contents)
}

func main() {
	for name, alg := range map[string]cose.Algorithm{"ML-DSA-44": -48, "ML-DSA-65": -49, "ML-DSA-87": -50} {
		exchange(os.Args[1], os.Args[2], name, alg)
	}
	fmt.Println("go-cose: done")
}
