import type { Signer } from '../../src/receipts/record-keys.ts';
import { privateKeyOf } from '../../src/record/signed-note.ts';

/** A signer whose key is the same in every test. A database takes note of it when its record is first read. */
export function testSigner(): Signer {
  const key = privateKeyOf(Buffer.alloc(32, 9));
  return { key: () => key, reload: async () => {} };
}
