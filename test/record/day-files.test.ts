import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/client.ts';
import { formatDay } from '../../src/lib/day.ts';
import { dayOfRecord, linesOfDay } from '../../src/pricing/record/read-record.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { withPricesFromLedger } from '../../src/pricing/store/from-ledger.ts';
import { type DayLine, lineText, type SnapshotLine } from '../../src/record/day-line.ts';
import { leafHash, rootOf, treeOf } from '../../src/record/merkle.ts';
import { FIRST_DAY } from '../pricing/ledger.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { BUSY, catalogBusy, DAYS, importLate, LAST_DAY } from './busy-ledger.ts';

const HALF = FIRST_DAY + 50;
let fresh: FreshDatabase;
let atHalf: Map<number, string>;
let files: Map<number, string>;

async function fileOf(db: Db, day: number): Promise<string> {
  let text = '';
  for await (const line of linesOfDay(db, (await dayOfRecord(db, day))!)) text += `${lineText(line)}\n`;
  return text;
}

async function filesOf(db: Db, lastDay: number): Promise<Map<number, string>> {
  const files = new Map<number, string>();
  for (let day = FIRST_DAY; day <= lastDay; day++) files.set(day, await fileOf(db, day));
  return files;
}

const linesOf = (text: string) => text.trimEnd().split('\n');
const snapshotsOf = (text: string) =>
  linesOf(text)
    .map((line) => JSON.parse(line) as DayLine)
    .filter((line): line is SnapshotLine => line.k === 'snapshot');

beforeAll(async () => {
  fresh = await freshDatabase();
  await catalogBusy(fresh.db);
  await reprice(fresh.db, { through: HALF });
  atHalf = await filesOf(fresh.db, HALF);
  await importLate(fresh.db);
  // One close alone, and many in one checkpoint.
  await reprice(fresh.db, { through: HALF + 1 });
  await reprice(fresh.db, { through: LAST_DAY });
  files = await filesOf(fresh.db, LAST_DAY);
}, 120_000);
afterAll(() => fresh.close());

describe('the file of every day, computed from the tables,', () => {
  test('has the root, the length and the digest that its close stored', async () => {
    const made = [...files].map(([day, text]) => ({
      day,
      root: rootOf(treeOf(linesOf(text).map(leafHash))).toString('hex'),
      bytes: Buffer.byteLength(text),
      digest: createHash('sha256').update(text).digest('hex'),
    }));
    const stored = await fresh.db.query(
      `select day, encode(root, 'hex') as root, bytes, encode(digest, 'hex') as digest from record_days order by day`,
    );
    expect(stored).toHaveLength(DAYS);
    expect(made).toEqual(stored);
  });

  test('does not change when a late sale, a void or a rejected row becomes known', async () => {
    expect([...files].slice(0, atHalf.size)).toEqual([...atHalf]);
  });

  test('names the root of the day before', async () => {
    const rows = await fresh.db.query<{ root: string }>(
      `select encode(root, 'hex') as root from record_days order by day`,
    );
    const headers = [...files.values()].map((text) => JSON.parse(linesOf(text)[0]!));
    expect(headers.map(({ day }) => day)).toEqual(Array.from({ length: DAYS }, (_, i) => formatDay(FIRST_DAY + i)));
    expect(headers.map(({ previous }) => previous)).toEqual([null, ...rows.slice(0, -1).map(({ root }) => root)]);
    expect(headers.map(({ base }) => base)).toEqual([true, ...Array(DAYS - 1).fill(false)]);
  });
});

test('each sale is in the record once, on the day that took it in; so is a rejected row, and a void of a sale taken in', async () => {
  const lines = [...files.values()].flatMap(snapshotsOf);
  const rising = (ids: number[]) => ids.sort((a, b) => a - b);
  const taken = await fresh.db.query<{ id: number; day: number }>(
    `select s.id from sales s left join sale_uses u on u.sale_id = s.id left join sale_voids v on v.sale_id = s.id
     where s.rejection is null and (v.sale_id is null or u.voided_day is null or coalesce(u.closed_day, s.known_day) < u.voided_day)`,
  );
  const sales = lines.flatMap((line) => line.sales ?? []);
  expect(rising(sales)).toEqual(rising(taken.map(({ id }) => id)));
  expect(new Set(sales).size).toBeGreaterThan(BUSY.length * 0.9);
  const voided = lines.flatMap((line) => line.voided ?? []);
  expect(voided.length).toBeGreaterThan(10);
  expect(voided.filter((id) => !sales.includes(id))).toEqual([]);
  expect(new Set(voided).size).toBe(voided.length);
  const rejected = lines.flatMap((line) => line.rejected ?? []);
  expect(new Set(rejected.map(([, reason]) => reason))).toEqual(new Set(['absurd_price', 'duplicate']));
  expect(new Set(rejected.map(([id]) => id)).size).toBe(rejected.length);
  expect(lines.some(({ grades }) => grades.length === 0)).toBe(true);
  expect(lines.some(({ weights }) => weights !== undefined)).toBe(true);
});

test('a replay of the ledger has the same roots', async () => {
  const roots = (db: Db) => db.query(`select day, encode(root, 'hex') as root from record_days order by day`);
  const replayed = await withPricesFromLedger(fresh.db, fresh.connection, undefined, roots);
  expect(replayed).toEqual(await roots(fresh.db));
});
