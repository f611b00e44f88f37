import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

/**
 * Signed notes and checkpoints (C2SP signed-note and tlog-checkpoint): a text, an empty line, and a line for each signature,
 * `— <name> <base64 of key hash and signature>`. The text of a checkpoint is an origin, a size and a root in base64.
 */

const ED25519 = 1;
const KEY_BYTES = 32;
const KEY_HASH_BYTES = 4;
const SIGNATURE_BYTES = 64;
/** What DER puts before the 32 bytes of an Ed25519 key: public, and private (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A public key under its name, which is the origin of the record. */
export type NoteKey = { name: string; publicKey: Buffer };
/** The head of the tree of days. */
export type Checkpoint = { origin: string; size: number; root: Buffer };

/** The private key of 32 random bytes. */
export function privateKeyOf(seed: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** The 32 bytes of the public key. */
export function publicKeyOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX.length);
}

/** Whether an Ed25519 signature over a text is that of a public key. */
export function isSignedBy(publicKey: Buffer, text: string, signature: Buffer): boolean {
  if (publicKey.length !== KEY_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(text), key, signature);
}

/** The 64 bytes of an Ed25519 signature, the same for the same text and key. */
export function signatureOf(key: KeyObject, text: string): Buffer {
  return sign(null, Buffer.from(text), key);
}

/** `SHA-256(name || 0x0A || 0x01 || public key)`, its first four bytes. */
function keyHashOf({ name, publicKey }: NoteKey): Buffer {
  const typed = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), publicKey]);
  return hash('sha256', typed, 'buffer').subarray(0, KEY_HASH_BYTES);
}

/** `name+hash+base64`: how a verifier is given a key. */
export function formatKey(key: NoteKey): string {
  const typed = Buffer.concat([Buffer.of(ED25519), key.publicKey]).toString('base64');
  return `${key.name}+${keyHashOf(key).toString('hex')}+${typed}`;
}

/** Reads `name+hash+base64`; null where it is not a key, or its hash is that of another. */
export function parseKey(text: string): NoteKey | null {
  const [, name, hashHex, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? [];
  const typed = encoded === undefined ? null : parseBase64(encoded);
  if (typed === null || typed.length !== 1 + KEY_BYTES || typed[0] !== ED25519) return null;
  const key = { name: name!, publicKey: typed.subarray(1) };
  return keyHashOf(key).toString('hex') === hashHex ? key : null;
}

/** The text that a checkpoint's signature covers. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** A note: its text, which ends with a line feed, and one signature. */
export function formatNote(text: string, key: NoteKey, signature: Buffer): string {
  const line = Buffer.concat([keyHashOf(key), signature]).toString('base64');
  return `${text}\n— ${key.name} ${line}\n`;
}

/** The text of a note that a key has signed; null where none of its signatures is of that key. */
export function openNote(note: string, key: NoteKey): string | null {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return null;
  const text = note.slice(0, end + 1);
  const keyHash = keyHashOf(key);
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const [, name, encoded] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    if (encoded === undefined) return null;
    const bytes = parseBase64(encoded);
    if (name !== key.name || bytes === null || !bytes.subarray(0, KEY_HASH_BYTES).equals(keyHash)) continue;
    return isSignedBy(key.publicKey, text, bytes.subarray(KEY_HASH_BYTES)) ? text : null;
  }
  return null;
}

/** Reads the text of a checkpoint; null where it is not one. Lines after the third are extensions, which we do not use. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [, origin, size, encoded] = /^([^\n]+)\n(0|[1-9]\d{0,14})\n([^\n]+)\n/.exec(text) ?? [];
  const root = encoded === undefined ? null : parseBase64(encoded);
  return root?.length === 32 ? { origin: origin!, size: Number(size), root } : null;
}

/** Bytes of base64 in its one canonical form; null for another. */
export function parseBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}
