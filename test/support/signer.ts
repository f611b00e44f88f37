import type { Sql } from '../../src/db/client.ts';
import { noteFirstKey, type Signer } from '../../src/receipts/record-keys.ts';
import { privateKeyOf } from '../../src/record/signed-note.ts';

/** A signer whose key is the same in every test. */
export async function testSigner(sql: Sql): Promise<Signer> {
  const key = privateKeyOf(Buffer.alloc(32, 9));
  await noteFirstKey(sql, key, 'prices.example/v1/record');
  return { key: () => key, reload: async () => {} };
}
