import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { anIndex, anItem, aSale, aSet, aVoid, closeDays, manySales } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

let database: FreshDatabase;
let api: TestApp;
let card: string;
let graded: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  await anIndex(db);
  const set = await aSet(db, { name: 'Base', code: 'base1' });
  const id = await anItem(db, { set, number: '4', name: 'Charizard | first' });
  await manySales(db, { itemId: id });
  await manySales(db, { itemId: id, gradeKey: 'psa-9', usdCents: 40_00 });
  await manySales(db, { itemId: id, gradeKey: 'raw-A', usdCents: 20_00, everyDays: 40 });
  const voided = await aSale(db, { itemId: id, sold: '2026-06-28' });
  await closeDays(db);
  await aVoid(db, voided, 'unpaid', '2026-06-30');
  api = await testApp(db);
  const { json } = await api.get(`/v1/items/by-id/${id}/overview`);
  card = json.href;
  graded = json.grades[0].href;
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

/** Cells of a row; a bar that is escaped is text. */
const cellsOf = (line: string) => line.split(/(?<!\\)\|/).length;

test('every table of every Markdown twin has as many cells in each row as columns', async () => {
  const paths = [
    `${card}.md`,
    `${graded}.md`,
    '/card/pokemon/base-base1.md',
    '/indices/pokemon.md',
    '/movers.md',
    '/sales.md',
    '/accuracy.md',
    '/corrections.md',
    '/audit.md',
    '/status.md',
    '/methodology.md',
    '/methodology/index.md',
  ];
  let tables = 0;
  for (const path of paths) {
    const { status, text } = await api.get(path);
    expect(status, path).toBe(200);
    for (const table of text.match(/(^\|.*\n)+/gm) ?? []) {
      const [head, ...rows] = table.trim().split('\n');
      tables++;
      for (const row of rows) expect(cellsOf(row), `${path}: ${head} / ${row}`).toBe(cellsOf(head!));
    }
  }
  expect(tables).toBeGreaterThan(10);
});

test('the grades of a card are in the order of its companies and grades, and the shares of its price sum to 100', async () => {
  const { text } = await api.get(`${graded}.md`);
  expect([...text.matchAll(/^\| \[([^\]]+)\]/gm)].map(([, grade]) => grade)).toEqual([
    'PSA 10',
    'PSA 9',
    'Ungraded, Near Mint (A)',
  ]);
  const shares = [...text.matchAll(/(?:sales|grades|game) (\d+)%/g)].map(([, share]) => Number(share));
  expect(shares.slice(0, 3).reduce((sum, one) => sum + one, 0)).toBe(100);
});
