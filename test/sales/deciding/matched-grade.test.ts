import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { matchSale } from '../../../src/sales/deciding/match-sale.ts';
import { anItem } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { importFile, salesFiles, TODAY } from '../import-world.ts';

let fresh: FreshDatabase;
let db: Db;
let itemId: string;
const files = salesFiles();
beforeEach(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
  itemId = await anItem(db, { name: 'Charizard' });
});
afterEach(() => fresh.close());
afterAll(() => files.remove());

/** Matches a sale whose row states this, and whose title names no card of the catalog. */
async function matched(title: string, company: string, grade: string) {
  const row = `Some card ${title},${company},${grade},100,USD,2026-05-01,ebay,1`;
  const { report } = await importFile(
    db,
    files.write(`title,company,grade,price,currency,sold_at,source,sale_id\n${row}\n`),
  );
  expect(report).toMatchObject({ added: 0, rejected: {} });
  const name = { source: 'ebay', saleId: '1' };
  return await matchSale(db, name, { itemId, grade: null }, { by: 'ada', why: null }, TODAY);
}

describe('a match without a stated grade says which it took', () => {
  test.each<[title: string, company: string, grade: string, taken: string]>([
    ['PSA 9', '', '', 'PSA 9'],
    ['PSA 9', 'PSA', '', 'PSA 9'],
    ['PSA 9', 'PSA', '10', 'PSA 10'],
    ['lightly played', 'RAW', '', 'Raw B'],
    ['', 'RAW', '', 'Raw A'],
    ['BGS 9.5', 'BGS', '9.5', 'BGS 9.5'],
  ])('title "%s", columns "%s" and "%s": %s', async (title, company, grade, taken) => {
    expect(await matched(title, company, grade)).toMatchObject({ gradeLabel: taken, rejection: null });
  });

  test('as it was stated where the company has no prices', async () => {
    expect(await matched('', 'SGC', '10')).toMatchObject({ gradeLabel: 'SGC 10', rejection: 'company_unsupported' });
  });
});

test('a match without any grade of a graded card asks for it', async () => {
  await expect(matched('', 'PSA', '')).rejects.toThrow('state it (--grade');
});
