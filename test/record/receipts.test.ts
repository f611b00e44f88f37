import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatDay } from '../../src/lib/day.ts';
import { dailyLine } from '../../src/pricing/read/item-prices.ts';
import { quotesAsOf } from '../../src/pricing/read/quotes.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { isConsistent, leafHash, rootOf, treeOf } from '../../src/record/merkle.ts';
import type { Receipt } from '../../src/record/receipt.ts';
import { openNote, parseCheckpoint, parseKey } from '../../src/record/signed-note.ts';
import { verifyReceipt } from '../../src/record/verify.ts';
import { FIRST_DAY, itemIdOf } from '../pricing/ledger.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { scratchFolder } from '../support/scratch.ts';
import { BUSY, catalogBusy, certify, DAYS, importLate, LAST_DAY } from './busy-ledger.ts';

const ITEMS = [...new Set(BUSY.map(({ card }) => itemIdOf(card)))].sort();
let fresh: FreshDatabase;
let service: TestApp;
/** Receipts of every item and grade on some days. */
const receipts: { path: string; text: string }[] = [];

beforeAll(async () => {
  fresh = await freshDatabase();
  service = await testApp(fresh.db);
  await catalogBusy(fresh.db);
  await certify(fresh.db, ITEMS, 'psa-9');
  expect((await service.get('/v1/record')).status).toBe(404);
  expect((await service.get('/v1/record/2024-01-01')).json.detail).toBe('No day has been closed yet.');
  await reprice(fresh.db, { through: FIRST_DAY + 50 });
  await importLate(fresh.db);
  await reprice(fresh.db, { through: LAST_DAY });
  for (const day of [FIRST_DAY, FIRST_DAY + 30, FIRST_DAY + 31, FIRST_DAY + 51, LAST_DAY])
    for (const [itemId, quotes] of await quotesAsOf(fresh.db, ITEMS, day))
      for (const { gradeKey } of quotes) {
        const path = `/v1/receipts/${itemId}/${gradeKey}/${formatDay(day)}`;
        const { status, text } = await service.get(path);
        if (status === 200) receipts.push({ path, text });
      }
}, 240_000);
afterAll(async () => {
  await service.app.close();
  await fresh.close();
});

const bytes = (hex: string) => Buffer.from(hex, 'hex');

describe('a receipt', () => {
  test('of every price verifies, and its lines give the published cents', () => {
    const verdicts = receipts.map(({ text }) => verifyReceipt(text, null));
    expect(verdicts.filter((one) => !one.isVerified || !one.isMatch)).toEqual([]);
    const priced = verdicts.filter((one) => one.isVerified && one.published.priceUsdCents !== null);
    expect(priced.length).toBeGreaterThan(100);
    expect(priced.length).toBeLessThan(verdicts.length);
  });

  test('states what the daily line published', async () => {
    for (const { text } of receipts.filter((_, i) => i % 10 === 0)) {
      const { item, gradeToken, day, published } = JSON.parse(text) as Receipt;
      const at = Date.parse(day) / 86_400_000;
      const [point] = await dailyLine(fresh.db, item.id, gradeToken, at, at, at);
      expect(published.priceUsdCents).toBe(point?.usdCents ?? null);
      expect(published.low).toBe(point?.lowUsdCents ?? null);
    }
  });

  test('with any byte changed does not verify', () => {
    const { text } = receipts.find(({ text }) => (JSON.parse(text) as Receipt).lines.length === 6)!;
    const original = Buffer.from(text);
    const passed: number[] = [];
    for (let at = 0; at < original.length; at++) {
      const changed = Buffer.from(original);
      changed[at]! ^= 1 << (at % 7);
      const verdict = verifyReceipt(changed.toString(), null);
      if (verdict.isVerified && verdict.isMatch) passed.push(at);
    }
    expect(passed).toEqual([]);
  }, 120_000);

  test('verifies with a program that was written from the documentation alone', () => {
    const folder = scratchFolder(tmpdir());
    const files = receipts.map(({ text }, i) => {
      const file = join(folder, `${i}.json`);
      writeFileSync(file, text);
      return file;
    });
    const [changed] = files;
    writeFileSync(changed!, receipts[0]!.text.replace('"name":"', '"name":"A '));
    const { stdout, status } = spawnSync('python3', ['test/record/verify_record.py', ...files], { encoding: 'utf8' });
    expect(status).toBe(0);
    const [first, ...verdicts] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(first).toEqual({ notVerified: 'the signature is wrong' });
    expect(verdicts).toHaveLength(receipts.length - 1);
    expect(verdicts.filter(({ isMatch }) => isMatch !== true)).toEqual([]);
  }, 240_000);

  test('is the same whenever it is read, and may be kept for good', async () => {
    const { path, text } = receipts.at(-1)!;
    const again = await service.get(path);
    expect(again.text).toBe(text);
    expect(again.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });

  test('is absent for what there is not: 404 and 400', async () => {
    const [item, day] = [ITEMS[0]!, formatDay(LAST_DAY)];
    const first = formatDay(FIRST_DAY);
    const before = await service.get(`/v1/receipts/${item}/psa-10/2023-12-31`);
    expect(before.status).toBe(404);
    expect(before.json.detail).toBe(`The record has the days from ${first} through ${day}.`);
    expect((await service.get(`/v1/receipts/${item}/psa-11/${day}`)).status).toBe(404);
    expect((await service.get(`/v1/receipts/${item}/bgs-7/${day}`)).status).toBe(404);
    expect((await service.get(`/v1/receipts/nobody/psa-10/${day}`)).status).toBe(404);
    expect((await service.get(`/v1/receipts/${item}/psa-10/2024-02-31`)).status).toBe(400);
  });
});

describe('the record', () => {
  test('has a head that its key has signed, over the chain of its days', async () => {
    const { json } = await service.get('/v1/record');
    expect(json).toMatchObject({ firstDay: formatDay(FIRST_DAY), lastDay: formatDay(LAST_DAY), size: DAYS });
    const head = parseCheckpoint(openNote(json.checkpoint, parseKey(json.publicKey)!)!)!;
    const rows = await fresh.db.query<{ day: number; lines: number; root: string }>(
      `select day, lines, encode(root, 'hex') as root from record_days order by day`,
    );
    const leaves = rows.map(({ day, lines, root }) =>
      leafHash(`{"day":"${formatDay(day)}","lines":${lines},"root":"${root}"}`),
    );
    expect(head).toEqual({ origin: json.origin, size: DAYS, root: rootOf(treeOf(leaves)) });
  });

  test('sends the file of a day with its digests, and only once to a caller that has it', async () => {
    const path = `/v1/record/${formatDay(FIRST_DAY + 31)}`;
    const { status, text, headers } = await service.get(path);
    expect(status).toBe(200);
    const digest = `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'content-digest': digest,
      'repr-digest': digest,
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const [row] = await fresh.db.query<{ root: Buffer }>('select root from record_days where day = $1', [
      FIRST_DAY + 31,
    ]);
    expect(rootOf(treeOf(text.trimEnd().split('\n').map(leafHash)))).toEqual(row!.root);
    expect((await service.get(path, { 'if-none-match': String(headers.etag) })).status).toBe(304);
  });

  test('proves of every pair of days that the later one continues the earlier', async () => {
    const heads = new Map<number, Buffer>();
    const wrong: string[] = [];
    for (let size = 1; size <= DAYS; size += 3)
      for (let from = 1; from <= size; from += 5) {
        const { text } = await service.get(`/v1/record/${formatDay(FIRST_DAY + size - 1)}?proof=${from}`);
        const { fromRoot, root, proof } = JSON.parse(text);
        for (const [of, stated] of [
          [from, fromRoot],
          [size, root],
        ] as const) {
          if (heads.has(of) && !heads.get(of)!.equals(bytes(stated))) wrong.push(`two roots of ${of} days`);
          heads.set(of, bytes(stated));
        }
        if (!isConsistent({ size: from, root: bytes(fromRoot) }, { size, root: bytes(root) }, proof.map(bytes)))
          wrong.push(`${from} of ${size}`);
      }
    expect(wrong).toEqual([]);
    expect((await service.get(`/v1/record/${formatDay(FIRST_DAY)}?proof=2`)).status).toBe(400);
  }, 60_000);
});
