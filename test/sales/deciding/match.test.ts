import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gradeByKey } from '../../../src/catalog/grades.ts';
import type { Db } from '../../../src/db/client.ts';
import { listDecisions } from '../../../src/decisions/decisions.ts';
import { takeBack, takenBackWords } from '../../../src/desk/take-back.ts';
import { matchSale } from '../../../src/sales/deciding/match-sale.ts';
import { listUnmatched } from '../../../src/sales/import/waiting.ts';
import { undoImport } from '../../../src/sales/undoing/undo-import.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { csv, importFile, rowOf, salesFiles, TODAY } from '../import-world.ts';
import { ADA, seen } from '../undoing/undo-world.ts';
import { NOBODY, newDecided, runDecisions } from './deciding-world.ts';

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

const decided = (saleId: string) => newDecided(db, files, saleId);

describe('a match', () => {
  const load = (row: string) => importFile(db, files.write(csv(row)));

  test('states the grade that the row has wrong, and its taking back states the row’s again', async () => {
    const { cards } = await decided('grade');
    await load(rowOf(cards.X, { sale_id: 'grade', grade: '9' }));
    const name = { source: 'ebay', saleId: 'grade' };
    const target = { itemId: cards.X, grade: gradeByKey('bgs-9-5')! };
    const { decision, rejection } = await matchSale(db, name, target, ADA, TODAY);
    expect(rejection).toBeNull();
    const gradeOf = async () =>
      (await db.query('select company, grade, grade_key as key from sales where id = (select max(id) from sales)'))[0];
    expect(await gradeOf()).toEqual({ company: 'BGS', grade: gradeByKey('bgs-9-5')!.grade, key: 'bgs-9-5' });
    await takeBack(db, decision, ADA, TODAY);
    expect(await gradeOf()).toEqual({ company: 'PSA', grade: gradeByKey('psa-9')!.grade, key: 'psa-9' });
  });

  test('of a row that names no card: the next files repeat, correct and void it, until the match is taken back', async () => {
    const { cards } = await decided('named');
    const row = rowOf(NOBODY, { sale_id: 'named' });
    await load(row);
    const name = { source: 'ebay', saleId: 'named' };
    const { decision } = await matchSale(db, name, { itemId: cards.X, grade: null }, ADA, TODAY);
    expect((await load(row)).report).toMatchObject({ repeated: 1, waiting: {}, corrected: 0 });
    const corrected = rowOf(NOBODY, { sale_id: 'named', price: '250' });
    expect((await load(corrected)).report).toMatchObject({ repeated: 0, corrected: 1, waiting: {} });
    const voided = rowOf(NOBODY, { sale_id: 'named', price: '250', status: 'voided' });
    const { report } = await load(voided);
    expect(report).toMatchObject({ repeated: 0, reversed: 1, rejected: {}, waiting: {} });
    expect((await load(voided)).report).toMatchObject({ repeated: 1, reversed: 0 });
    await undoImport(db, report.importId, ADA, TODAY);
    await takeBack(db, decision, ADA, TODAY);
    expect((await load(row)).report).toMatchObject({ repeated: 0, waiting: { item_unknown: 1 } });
  });

  test('keeps the grade that a person stated when a later file corrects the price', async () => {
    const { cards } = await decided('kept grade');
    await load(rowOf(cards.X, { sale_id: 'kept grade', grade: '9' }));
    const name = { source: 'ebay', saleId: 'kept grade' };
    const target = { itemId: cards.X, grade: gradeByKey('bgs-9-5')! };
    const { decision } = await matchSale(db, name, target, ADA, TODAY);
    const { report } = await load(rowOf(cards.X, { sale_id: 'kept grade', grade: '9', price: '250' }));
    expect(report).toMatchObject({ corrected: 1, repeated: 0, added: 0 });
    const newest = async () =>
      (
        await db.query(
          'select grade_key as key, price_minor as minor from sales where id = (select max(id) from sales)',
        )
      )[0];
    expect(await newest()).toEqual({ key: 'bgs-9-5', minor: 25_000 });
    await takeBack(db, decision, ADA, TODAY);
    expect(await newest()).toEqual({ key: 'psa-9', minor: 25_000 });
  });

  test('of a sale of a company that is not priced to a grade that is lets it count', async () => {
    const { cards } = await decided('company');
    await load(rowOf(cards.X, { sale_id: 'company', company: 'SGC' }));
    expect(await seen(db, cards.X)).toEqual(['company_unsupported']);
    const target = { itemId: cards.X, grade: gradeByKey('psa-10')! };
    const matched = await matchSale(db, { source: 'ebay', saleId: 'company' }, target, ADA, TODAY);
    expect(matched.rejection).toBeNull();
    expect(await seen(db, cards.X)).toEqual(['$100']);
  });

  test('to the card of a sale with the same cert says that it counts there once', async () => {
    const { cards } = await decided('cert');
    await load(rowOf(cards.X, { sale_id: 'c1', cert: '55555555' }));
    await load(rowOf(NOBODY, { sale_id: 'c2', source: 'goldin', cert: '55555555' }));
    const name = { source: 'goldin', saleId: 'c2' };
    const { decision, rejection } = await matchSale(db, name, { itemId: cards.X, grade: null }, ADA, TODAY);
    expect(rejection).toBe('duplicate');
    expect(await seen(db, cards.X)).toEqual(['$100', 'duplicate']);
    await takeBack(db, decision, ADA, TODAY);
    expect(await seen(db, cards.X)).toEqual(['$100']);
    expect((await listUnmatched(db, 1000)).sales.some(({ sourceSaleId }) => sourceSaleId === 'c2')).toBe(true);
  });

  test.each([
    ['W?100 mX mY', 'mX', /is still on its card by decision \d+$/],
    ['W?100 mX d', 'mX', /is still dropped by decision \d+$/],
    ['W?100 mX mY', 'mY', /is what it was before$/],
  ])('after %s, taking %s back says what the sale is now', async (script, word, said) => {
    const world = await decided(`said ${script} ${word}`);
    await runDecisions(world, script);
    expect(takenBackWords(await takeBack(db, world.decisions.get(word)!, ADA, TODAY))).toMatch(said);
  });

  test('and a drop are kept with who decided and why, and who took them back', async () => {
    const world = await decided('kept');
    await runDecisions(world, 'W?100 mX -mX d');
    const [drop, match] = await listDecisions(db, { before: null, limit: 2 });
    expect(drop).toMatchObject({
      ...{ kind: 'drop_sale', subject: 'ebay kept', decidedBy: 'ada', why: ADA.why, takenBackBy: null },
    });
    expect(match).toMatchObject({ kind: 'match_sale', facts: { itemId: world.cards.X }, takenBackBy: 'ada' });
  });
});
