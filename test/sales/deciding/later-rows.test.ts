import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gradeByKey } from '../../../src/catalog/grades.ts';
import type { Db } from '../../../src/db/client.ts';
import { takeBack } from '../../../src/desk/take-back.ts';
import { matchSale } from '../../../src/sales/deciding/match-sale.ts';
import { anItem } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { csv, importFile, rowOf, salesFiles, TODAY } from '../import-world.ts';
import { ADA } from '../undoing/undo-world.ts';
import { NOBODY } from './deciding-world.ts';

let fresh: FreshDatabase;
let db: Db;
const files = salesFiles();
beforeAll(async () => {
  fresh = await freshDatabase();
  db = fresh.db;
});
afterAll(async () => {
  await fresh.close();
  files.remove();
});

const load = (...rows: string[]) => importFile(db, files.write(csv(...rows)));

/** Puts a sale whose row names no card on a new card. */
async function matched(saleId: string, gradeKey: string | null = null) {
  const itemId = await anItem(db, { number: saleId });
  await load(rowOf(NOBODY, { sale_id: saleId }));
  const grade = gradeKey === null ? null : gradeByKey(gradeKey)!;
  const { decision } = await matchSale(db, { source: 'ebay', saleId }, { itemId, grade }, ADA, TODAY);
  return { itemId, decision };
}

describe('a later row, without a card, of a sale that a person matched', () => {
  test('is repeated where its source has taken the sale back, also after the match was taken back', async () => {
    const { decision } = await matched('gone');
    await load(rowOf(NOBODY, { sale_id: 'gone', status: 'voided' }));
    await takeBack(db, decision, ADA, TODAY);
    expect((await load(rowOf(NOBODY, { sale_id: 'gone' }))).report).toMatchObject({ repeated: 1, waiting: {} });
  });

  test('next to new and known sales counts once, and is one revision', async () => {
    const { itemId } = await matched('among');
    const known = rowOf(itemId, { sale_id: 'known' });
    await load(known);
    const { report } = await load(
      known,
      rowOf(itemId, { sale_id: 'new' }),
      rowOf(NOBODY, { sale_id: 'among', price: '250' }),
    );
    expect(report).toMatchObject({ added: 1, corrected: 1, repeated: 1, waiting: {} });
    const revisions = await db.query(
      `select revision, price_minor as minor from sales where source_sale_id = 'among' order by revision`,
    );
    expect(revisions).toEqual([
      { revision: 0, minor: 100_00 },
      { revision: 1, minor: 250_00 },
    ]);
  });

  test.each([
    ['the grade of the row, where the person stated none', 'row', null, 'psa-9'],
    ['the grade that the person stated, whatever the row states', 'person', 'psa-8', 'psa-8'],
  ])('has %s', async (_, saleId, stated, key) => {
    await matched(saleId, stated);
    await load(rowOf(NOBODY, { sale_id: saleId, grade: '9', price: '250' }));
    expect(
      await db.query('select grade_key as key, price_minor as minor from sales where id = (select max(id) from sales)'),
    ).toEqual([{ key, minor: 250_00 }]);
  });
});
