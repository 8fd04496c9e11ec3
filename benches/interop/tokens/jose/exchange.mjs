// Exchanges keys and tokens with the package jose, whose signatures come from WebCrypto in Node.
// Arguments: the folder with the files of moissanite-tokens, and that for the files of this program.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as jose from 'jose';

const [ours, theirs] = process.argv.slice(2);
const payload = new Uint8Array(readFileSync(join(ours, 'payload')));
const same = (found) => assert.deepEqual([...found], [...payload]);

for (const alg of ['ML-DSA-44', 'ML-DSA-65', 'ML-DSA-87']) {
  const text = (name) => readFileSync(join(ours, `${alg}.${name}`), 'utf8');
  const jwk = JSON.parse(text('public.jwk'));
  const key = await jose.importJWK(jwk);
  const { payload: found, protectedHeader } = await jose.compactVerify(text('jws'), key);
  same(found);
  assert.deepEqual(protectedHeader, { alg, kid: 'ours', typ: 'test' });
  same((await jose.flattenedVerify(JSON.parse(text('json')), key)).payload);
  const [header, , signature] = text('detached.jws').split('.');
  // The package takes a detached payload in base64url.
  const detached = { protected: header, payload: jose.base64url.encode(payload), signature };
  same((await jose.flattenedVerify(detached, key)).payload);
  await assert.rejects(jose.compactVerify(text('changed.jws'), key));
  assert.equal(await jose.calculateJwkThumbprint(jwk), text('thumbprint'));
  // The private key signs what the public one verifies.
  const signer = await jose.importJWK(JSON.parse(text('private.jwk')));
  const again = await new jose.CompactSign(payload).setProtectedHeader({ alg }).sign(signer);
  await jose.compactVerify(again, key);

  const pair = await jose.generateKeyPair(alg, { extractable: true });
  const write = (name, contents) => writeFileSync(join(theirs, `${alg}.${name}`), contents);
  const publicJwk = await jose.exportJWK(pair.publicKey);
  write('public.jwk', JSON.stringify(publicJwk));
  write('private.jwk', JSON.stringify(await jose.exportJWK(pair.privateKey)));
  write('thumbprint', await jose.calculateJwkThumbprint(publicJwk));
  const protect = { alg, kid: 'theirs', typ: 'test' };
  write('jws', await new jose.CompactSign(payload).setProtectedHeader(protect).sign(pair.privateKey));
  const general = new jose.GeneralSign(payload);
  general.addSignature(pair.privateKey).setProtectedHeader(protect).setUnprotectedHeader({ x: 1 });
  write('general.json', JSON.stringify(await general.sign()));
  const flattened = new jose.FlattenedSign(payload).setProtectedHeader(protect);
  write('json', JSON.stringify(await flattened.sign(pair.privateKey)));
}
