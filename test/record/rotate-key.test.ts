import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { openSigner, originOf, rotateKey } from '../../src/receipts/record-keys.ts';
import { leafHash, rootOf, treeOf } from '../../src/record/merkle.ts';
import { type Receipt, signedReceipt, unsignedText } from '../../src/record/receipt.ts';
import { formatKey, openNote, parseKey, privateKeyOf, publicKeyOf, signatureOf } from '../../src/record/signed-note.ts';
import { verifyReceipt } from '../../src/record/verify.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from '../pricing/ledger.ts';
import { syntheticMarket } from '../pricing/model/synthetic-market.ts';
import { BASE_URL, type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { scratchFolder } from '../support/scratch.ts';

const market = syntheticMarket({ seed: 3, days: 40, cards: 5, sales: 200 });
const path = join(scratchFolder(tmpdir()), 'record-key');
const origin = originOf(BASE_URL);
let fresh: FreshDatabase;
let service: TestApp;

beforeAll(async () => {
  fresh = await freshDatabase();
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
  const signer = await openSigner(fresh.db, path, origin);
  service = await testApp(fresh.db);
  service.context.record.signer = signer;
});
afterAll(async () => {
  await service.app.close();
  await fresh.close();
});

const receiptOn = async (day: number) => {
  const { card, gradeKey } = market[0]!;
  const { text } = await service.get(`/v1/receipts/${itemIdOf(card)}/${gradeKey}/${formatDay(FIRST_DAY + day)}`);
  return { text, receipt: JSON.parse(text) as Receipt };
};

test('a key is made once, by any number of processes, and no other key signs', async () => {
  const seed = readFileSync(path);
  expect(seed).toHaveLength(32);
  const [one, two] = await Promise.all([openSigner(fresh.db, path, origin), openSigner(fresh.db, path, origin)]);
  expect(one.key().equals(two.key())).toBe(true);
  const elsewhere = join(scratchFolder(tmpdir()), 'record-key');
  writeFileSync(elsewhere, Buffer.alloc(32, 1));
  await expect(openSigner(fresh.db, elsewhere, origin)).rejects.toThrow('is not the key that signs the record');
});

test('before any close there is nothing to hand over', async () => {
  await expect(rotateKey(fresh.db, path, origin)).rejects.toThrow('No day has been closed');
});

test('a rotation is a signed line of the next day; receipts of both keys verify under the first and under the newest', async () => {
  await reprice(fresh.db, { through: FIRST_DAY + 20 });
  const { text: before } = await receiptOn(20);
  const checkpoint = (await service.get('/v1/record')).json.checkpoint;
  const { from, key, day } = await rotateKey(fresh.db, path, origin);
  expect(day).toBe(FIRST_DAY + 21);
  expect(existsSync(`${path}.next`)).toBe(false);
  // What the old key has signed stays as it was signed.
  expect((await service.get('/v1/record')).json).toMatchObject({ checkpoint, publicKey: key });
  await reprice(fresh.db, { through: FIRST_DAY + 39 });
  const file = (await service.get(`/v1/record/${formatDay(day)}`)).text;
  const lines = file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ k }) => k === 'key')).toEqual([
    { k: 'key', from, key, signature: expect.stringMatching(/^[\w+/]{86}==$/) },
  ]);
  const [stored] = await fresh.db.query<{ root: Buffer }>('select root from record_days where day = $1', [day]);
  expect(rootOf(treeOf(file.trimEnd().split('\n').map(leafHash)))).toEqual(stored!.root);
  const after = await receiptOn(39);
  for (const { receipt } of [after, await receiptOn(21)])
    expect(openNote(receipt.checkpoint, parseKey(key)!), receipt.day).not.toBeNull();
  const old = await receiptOn(20);
  expect(openNote(old.receipt.checkpoint, parseKey(from)!)).not.toBeNull();
  for (const text of [before, after.text, old.text])
    expect(verifyReceipt(text, from), text).toMatchObject({ isVerified: true, isMatch: true });
  for (const text of [after.text, old.text])
    expect(verifyReceipt(text, key)).toMatchObject({ isVerified: true, isMatch: true, key });
  expect(verifyReceipt(before, key)).toMatchObject({ isVerified: false });
});

test('a key that the one before did not announce signs nothing', async () => {
  const { signature: _signature, ...receipt } = (await receiptOn(20)).receipt;
  const { name } = parseKey(receipt.keys.first)!;
  const stranger = privateKeyOf(Buffer.alloc(32, 1));
  const line = {
    k: 'key' as const,
    from: receipt.keys.first,
    key: formatKey({ name, publicKey: publicKeyOf(stranger) }),
  };
  const signature = signatureOf(stranger, unsignedText({ ...line, signature: '' })).toString('base64');
  const keys = { first: receipt.keys.first, rotations: [{ ...line, signature }] };
  const forged = signedReceipt({ ...receipt, keys }, stranger);
  expect(verifyReceipt(forged, receipt.keys.first)).toEqual({
    isVerified: false,
    because: 'a change of the key is not signed',
  });
});

test('a rotation that was cut off after it was stored is finished by the next start', async () => {
  const old = readFileSync(path);
  const { key } = await rotateKey(fresh.db, path, origin);
  const next = readFileSync(path);
  writeFileSync(path, old);
  writeFileSync(`${path}.next`, next);
  const signer = await openSigner(fresh.db, path, origin);
  expect(readFileSync(path)).toEqual(next);
  service.context.record.signer = signer;
  const { receipt } = await receiptOn(39);
  expect(receipt.keys.rotations.at(-1)!.key).toBe(key);
  expect(verifyReceipt(JSON.stringify(receipt), key)).toMatchObject({ isVerified: true });
});
