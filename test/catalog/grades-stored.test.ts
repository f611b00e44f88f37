import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GRADES } from '../../src/catalog/grades.ts';
import { MIGRATIONS } from '../../src/db/migrate.ts';
import { anItem, aSale, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

const migration = readFileSync(new URL('0020_grade_words.sql', MIGRATIONS), 'utf8');

let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

describe('grades in the ledger', () => {
  test('are renamed to the words of the table, each by its key', () => {
    const words = [...migration.matchAll(/^ {2}\('([^']+)', '([^']+)'\)/gm)].map(([, key, grade]) => ({ key, grade }));
    expect(words).toHaveLength(35);
    for (const { key, grade } of words) expect(GRADES.find((row) => row.key === key)?.grade, key).toBe(grade);
  });

  test('recorded under an older name get the present one; others stay', async () => {
    const { db } = database;
    const itemId = await anItem(db, { set: await aSet(db), number: '4', name: 'Charizard' });
    for (const gradeKey of ['bgs-8', 'cgc-9-5', 'psa-8']) await aSale(db, { itemId, gradeKey, sold: '2026-06-01' });
    await db.query(`update sales set grade = '8 NM-MT' where grade_key = 'bgs-8'`);
    await db.query(`update sales set grade = '9.5 Mint+' where grade_key = 'cgc-9-5'`);
    await db.query(`insert into sales (source, source_sale_id, item_id, company, grade, grade_key, sold_at, sold_day, known_at,
        known_day, price_minor, currency, sale_type, import_id, line)
      select source, 'outside', item_id, 'SGC', '8 NM-MT', null, sold_at, sold_day, known_at, known_day, price_minor,
        currency, sale_type, import_id, line from sales limit 1`);
    await db.transaction((session) => session.query(migration));
    const rows = await db.query<{ company: string; grade: string }>(
      'select company, grade from sales order by company',
    );
    expect(rows.map(({ company, grade }) => `${company} ${grade}`)).toEqual([
      'BGS 8 NM/Mint',
      'CGC 9.5 Mint +',
      'PSA 8 NM-MT',
      'SGC 8 NM-MT',
    ]);
  });
});
