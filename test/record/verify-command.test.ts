import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatDay } from '../../src/lib/day.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { canonicalJson, type JsonValue } from '../../src/record/canonical-json.ts';
import type { Receipt } from '../../src/record/receipt.ts';
import { signedReceipt } from '../../src/record/receipt.ts';
import { formatKey, privateKeyOf, publicKeyOf } from '../../src/record/signed-note.ts';
import { catalogCards, FIRST_DAY, itemIdOf, recordSales } from '../pricing/ledger.ts';
import { syntheticMarket } from '../pricing/model/synthetic-market.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { runProgram } from '../support/program.ts';
import { scratchFolder } from '../support/scratch.ts';

const market = syntheticMarket({ seed: 3, days: 40, cards: 5, sales: 200 });
const folder = scratchFolder(tmpdir());
const file = join(folder, 'receipt.json');
let fresh: FreshDatabase;
let service: TestApp;
let text: string;
let receipt: Receipt;

beforeAll(async () => {
  fresh = await freshDatabase();
  await catalogCards(fresh.db, market);
  await recordSales(fresh.db, market);
  await reprice(fresh.db, { through: FIRST_DAY + 39 });
  service = await testApp(fresh.db);
  const { card, gradeKey } = market[0]!;
  text = (await service.get(`/v1/receipts/${itemIdOf(card)}/${gradeKey}/${formatDay(FIRST_DAY + 39)}`)).text;
  receipt = JSON.parse(text);
});
afterAll(async () => {
  await service.app.close();
  await fresh.close();
});

/** Neither a database nor a data folder is there. */
const verify = (...args: string[]) =>
  runProgram(['verify', ...args], {
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    MINTMARK_DATA: '/dev/null/none',
  });

async function ofFile(content: string, ...args: string[]) {
  writeFileSync(file, content);
  const { code, printed } = await verify(file, ...args);
  return { code, printed: printed.trim() };
}

/** A receipt that the service has signed, with something changed. */
const resigned = (change: Partial<Receipt>) => {
  const { signature: _signature, ...rest } = { ...receipt, ...change };
  return signedReceipt(rest, privateKeyOf(Buffer.alloc(32, 9)));
};

test('a receipt of the service matches, also spaced, under its key and from an address', async () => {
  const cents = receipt.published.priceUsdCents;
  const matches = { code: 0, printed: `recomputed ${cents} published ${cents} MATCH` };
  expect(await ofFile(text)).toEqual(matches);
  expect(await ofFile(JSON.stringify(receipt, null, 2), '--key', receipt.keys.first)).toEqual(matches);
  const server = createServer((_request, response) => response.end(text)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { code } = await verify(`http://127.0.0.1:${(server.address() as AddressInfo).port}/receipt`);
  server.close();
  expect(code).toBe(0);
});

test('a price that the lines do not give is a mismatch: exit code 1', async () => {
  const cents = receipt.published.priceUsdCents!;
  const published = { ...receipt.published, priceUsdCents: cents + 1 };
  expect(await ofFile(resigned({ published }))).toEqual({
    code: 1,
    printed: `recomputed ${cents} published ${cents + 1} MISMATCH`,
  });
  // Changed on the way: the record gives another price than the file now states.
  const digit = text.replace(`"priceUsdCents":${cents}`, `"priceUsdCents":${cents + 10}`);
  expect(await ofFile(digit)).toEqual({ code: 1, printed: `recomputed ${cents} published ${cents + 10} MISMATCH` });
  const range = { ...receipt.published, low: 1, high: 2 };
  expect((await ofFile(resigned({ published: range }))).code).toBe(1);
});

test('what cannot be verified has the exit code 2, and says why', async () => {
  const because = async (content: string, ...args: string[]) => {
    const { code, printed } = await ofFile(content, ...args);
    expect(code, printed).toBe(2);
    return printed.replace('NOT VERIFIED because ', '');
  };
  const stranger = formatKey({ name: 'a', publicKey: publicKeyOf(privateKeyOf(Buffer.alloc(32, 1))) });
  expect(await because(text, '--key', stranger)).toBe('it is signed by other keys than the one given');
  expect(await because(canonicalJson({ ...receipt, url: 'https://a.example/' } as unknown as JsonValue))).toBe(
    'its signature is wrong',
  );
  expect(await because(canonicalJson({ ...receipt, day: '2024-01-01' } as unknown as JsonValue))).toBe(
    'the checkpoint is not that of 2024-01-01',
  );
  expect(await because('{}')).toBe('it is not a receipt');
  expect(await because('no receipt')).toBe('it is not a receipt');
  expect(await because(resigned({ lines: receipt.lines.slice(1), proofs: receipt.proofs.slice(1) }))).toMatch(
    /does not have the day line/,
  );
  const twice = {
    lines: [...receipt.lines, receipt.lines[1]!],
    proofs: [...receipt.proofs, receipt.proofs[1]!],
  };
  expect(await because(resigned({ proofs: receipt.proofs.slice(1) }))).toMatch(/proof for each line/);
  expect(await because(resigned(twice))).toMatch(/market line/);
  expect(await because(resigned({ gradeToken: undefined as unknown as string }))).toBe('it is not a receipt');
  expect(await because(resigned({ parameters: `${receipt.parameters} ` }))).toMatch(/parameters/);
  expect(await because(resigned({ version: '99' }))).toMatch(/another version/);
  expect((await verify(join(folder, 'none.json'))).code).toBe(2);
  expect((await verify('http://127.0.0.1:1/receipt')).printed).toMatch(/^NOT VERIFIED because .* cannot be read/);
  expect((await verify()).code).toBe(2);
});
