// Exchanges checkpoints and cosignatures with the modules torchwood (checkpoints and cosignatures) and
// golang.org/x/mod (signed notes and Ed25519), and the package crypto/mldsa of Go.
//
// Arguments: the folder with the files of moissanite-tlog, and that for the files of this program.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/mldsa"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const origin = "example.com/log"

var (
	root    = tlog.RecordHash([]byte("root"))
	subtree = tlog.RecordHash([]byte("subtree"))
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func require(is bool, what string) {
	if !is {
		check(fmt.Errorf("not true: %s", what))
	}
}

func read(name string) string {
	contents, err := os.ReadFile(filepath.Join(os.Args[1], name))
	check(err)
	return string(contents)
}

func write(name, contents string) {
	check(os.WriteFile(filepath.Join(os.Args[2], name), []byte(contents), 0o666))
}

// readTheirs verifies the files of moissanite-tlog.
func readTheirs() {
	var all []note.Verifier
	for _, vkey := range strings.Fields(read("vkeys")) {
		verifier, err := torchwood.NewCosignatureVerifier(vkey)
		check(err)
		require(verifier.String() == vkey, "the text of the key is the same")
		all = append(all, verifier)
	}
	opened, err := note.Open([]byte(read("note")), note.VerifierList(all...))
	check(err)
	require(len(opened.Sigs) == len(all), "each key has signed the checkpoint")
	checkpoint, err := torchwood.ParseCheckpoint(opened.Text)
	check(err)
	require(checkpoint.Origin == origin && checkpoint.N == 42, "the origin and the size")
	require(checkpoint.Hash == root, "the root hash")
	_, err = note.Open([]byte(read("changed")), note.VerifierList(all...))
	require(err != nil, "a changed checkpoint is refused")

	cosigner := all[0].(*torchwood.CosignatureVerifier)
	line := []byte(read("subtree"))
	require(cosigner.VerifySubtree(origin, 8, 12, subtree, line), "the subtree")
	require(!cosigner.VerifySubtree(origin, 8, 11, subtree, line), "another subtree is refused")
}

// writeOurs signs with keys of fixed seeds.
func writeOurs() {
	seed := bytes.Repeat([]byte{7}, 32)
	key := ed25519.NewKeyFromSeed(seed)
	skey, vkey, err := note.GenerateKey(bytes.NewReader(seed), origin)
	check(err)
	log, err := note.NewSigner(skey)
	check(err)
	witness, err := torchwood.NewCosignatureSigner("witness.example/ed25519", key)
	check(err)
	private, err := mldsa.NewPrivateKey(mldsa.MLDSA44(), seed)
	check(err)
	cosigner, err := torchwood.NewCosignatureSigner("witness.example/ml-dsa-44", private)
	check(err)
	vkeys := []string{vkey, witness.Verifier().String(), cosigner.Verifier().String()}
	write("vkeys", strings.Join(vkeys, "\n")+"\n")

	text := torchwood.Checkpoint{Origin: origin, Tree: tlog.Tree{N: 42, Hash: root}}.String()
	signed, err := note.Sign(&note.Note{Text: text}, log, witness, cosigner)
	check(err)
	write("note", string(signed))
	line, err := cosigner.SignSubtree(origin, 8, 12, subtree)
	check(err)
	write("subtree", string(line))
}

func main() {
	if len(os.Args) != 3 {
		check(fmt.Errorf("two folders are required"))
	}
	readTheirs()
	writeOurs()
}
