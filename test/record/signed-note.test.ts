import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  checkpointText,
  formatKey,
  formatNote,
  openNote,
  parseCheckpoint,
  parseKey,
  privateKeyOf,
  publicKeyOf,
  signatureOf,
} from '../../src/record/signed-note.ts';

// The example of the Go package golang.org/x/mod/sumdb/note, which C2SP signed-note describes; compared with its source, and key
// and signature with what Python's `cryptography` computes of the seed.
const KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const SEED = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);
const TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const NOTE = `${TEXT}
— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;
const key = parseKey(KEY)!;

describe('the example of signed notes', () => {
  test('the key reads and writes as it is', () => {
    expect(formatKey(key)).toBe(KEY);
    expect(publicKeyOf(privateKeyOf(SEED))).toEqual(key.publicKey);
  });

  test('the note is signed by it, and is the one that we sign', () => {
    expect(openNote(NOTE, key)).toBe(TEXT);
    expect(formatNote(TEXT, key, signatureOf(privateKeyOf(SEED), TEXT))).toBe(NOTE);
  });

  test('with any character of the note changed it is not', () => {
    for (let at = 0; at < NOTE.length; at++) {
      const other = NOTE[at] === 'A' ? 'B' : 'A';
      expect(openNote(NOTE.slice(0, at) + other + NOTE.slice(at + 1), key), `character ${at}`).toBeNull();
    }
  });

  test('a note with signatures of others too is signed', () => {
    const stranger = { name: 'other', publicKey: publicKeyOf(privateKeyOf(randomBytes(32))) };
    const both = formatNote(TEXT, stranger, Buffer.alloc(64)) + NOTE.slice(TEXT.length + 1);
    expect(openNote(both, key)).toBe(TEXT);
    expect(openNote(both, stranger)).toBeNull();
  });
});

test('a key whose hash is of another name, or that is not one, does not read', () => {
  for (const text of [
    KEY.replace('Peter', 'Petra'),
    KEY.replace('c74f', 'c74e'),
    'a+b',
    '',
    `${KEY}=`,
    'a+c74f20a3+AA==',
  ])
    expect(parseKey(text), text).toBeNull();
});

describe('checkpoints', () => {
  const root = Buffer.alloc(32, 9);

  test('the text is origin, size and root, as in tlog-checkpoint', () => {
    const text = checkpointText({ origin: 'example.com/behind-the-sofa', size: 20852163, root });
    expect(text).toBe(`example.com/behind-the-sofa\n20852163\n${root.toString('base64')}\n`);
    expect(parseCheckpoint(text)).toEqual({ origin: 'example.com/behind-the-sofa', size: 20852163, root });
    expect(parseCheckpoint(`${text}an extension\n`)).toEqual({
      origin: 'example.com/behind-the-sofa',
      size: 20852163,
      root,
    });
  });

  test.each(['', 'a\n1\n', 'a\n01\nCQ==\n', 'a\n1\nCQ==\n', `a\n-1\n${root.toString('base64')}\n`])(
    '%j is not a checkpoint',
    (text) => {
      expect(parseCheckpoint(text)).toBeNull();
    },
  );
});
