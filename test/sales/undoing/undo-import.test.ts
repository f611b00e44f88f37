import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { planUndo } from '../../../src/desk/undo-words.ts';
import { importListings } from '../../../src/sales/crawl/crawled-listings.ts';
import { ownListings } from '../../../src/sales/formats/listings.ts';
import { listUnmatched, rematch } from '../../../src/sales/import/waiting.ts';
import { listRejected } from '../../../src/sales/rejected.ts';
import { importNow, listImports } from '../../../src/sales/undoing/imports.ts';
import { undoImport } from '../../../src/sales/undoing/undo-import.ts';
import { anImport, anItem } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { csv, expectSum, importFile, ledgerOf, rowOf, salesFiles, TODAY } from '../import-world.ts';
import { ADA, runScript, scripted, seen } from './undo-world.ts';

let fresh: FreshDatabase;
let db: Db;
let item: string;
const files = salesFiles();
afterAll(() => files.remove());

const load = (...rows: string[]) => importFile(db, files.write(csv(...rows)));
const row = (over?: { [column: string]: string }) => rowOf(item, over);
const undo = (id: number) => undoImport(db, id, ADA, TODAY);

// What is left of one sale: each import reports or cancels it; what is undone was never said.
const open = async () => {
  fresh = await freshDatabase();
  db = fresh.db;
  item = await anItem(db);
};

describe('of one sale, after', () => {
  beforeAll(open);
  afterAll(() => fresh.close());
  test.each([
    ['A=100 -A', []],
    ['A=100 -A -A', []],
    ['A=100 -A +A', ['$100']],
    ['A=100 -A A2=100', ['$100']],
    ['A=100 -A A2=150', ['$150']],
    ['A=100 -A A2=150 -A2', []],
    ['A=100 -A A2=150 +A', ['$150']],
    ['A=100 -A A2=150 +A -A2', ['$100']],
    ['A=100 B=200 -B', ['$100']],
    ['A=100 B=200 -A', ['$200']],
    ['A=100 B=200 -A -B', []],
    ['A=100 B=200 -B -A', []],
    ['A=100 B=200 -B +B', ['$200']],
    ['A=100 B=200 -B B2=200', ['$200']],
    ['A=100 B=200 -B B2=200 -B2', ['$100']],
    ['A=100 B=200 -B A2=100', ['$100']],
    ['A=100 B=200 -A -B +B', ['$200']],
    ['A=100 B=200 -A -B +A', ['$100']],
    ['A=100 B=200 C=300 -B', ['$300']],
    ['A=100 B=200 C=300 -B -C', ['$100']],
    ['A=100 B=200 C=300 -C', ['$200']],
    ['A=100 B=200 C=300 -C -B +C', ['$300']],
    ['A=100 B=200 C=300 -C -B +B', ['$200']],
    ['A=100 V!', ['voided']],
    ['A=100 V! -V', ['$100']],
    ['A=100 V! -V +V', ['voided']],
    ['A=100 V! -V B=200', ['$200']],
    ['A=100 V! -V V2!', ['voided']],
    ['A=100 -A V!', ['voided']],
    ['A=100 -A V! A2=100', ['voided']],
    ['A=100 -A V! -V A2=100', ['$100']],
    ['A=100 V! -A A2=100', ['voided']],
    ['A=100 B=200 V! -B', ['voided']],
    ['A=100 B=200 V! -B -V', ['$100']],
    ['A=100 B=200 V! -V', ['$200']],
    ['V! -V', []],
    ['V! A=100', ['voided']],
    ['V! -V A=100', ['$100']],
  ])('%s', async (script, left) => {
    const card = await anItem(db, { number: script });
    await runScript(scripted(db, card, files), script);
    expect(await seen(db, card)).toEqual(left);
    // Revisions rise by one, and all but the newest are out.
    const revisions = await db.query<{ revision: number; out: boolean }>(
      `select revision, exists (select from sale_voids v where v.sale_id = s.id) as out from sales s where item_id = $1 order by revision`,
      [card],
    );
    expect(revisions.map(({ revision }) => revision)).toEqual(revisions.map((_, at) => at));
    expect(revisions.slice(0, -1).every(({ out }) => out)).toBe(true);
  });
});

describe('undoing an import', () => {
  beforeEach(open);
  afterEach(() => fresh.close());
  test('says exactly what it will do, and does that', async () => {
    const other = await anItem(db, { number: '5' });
    await load(row({ sale_id: 'kept', price: '90' }), row({ sale_id: 'gone', price: '80' }));
    const { report } = await load(
      row({ sale_id: 'a' }),
      row({ sale_id: 'b', grade: '9' }),
      rowOf(other, { sale_id: 'c' }),
      row({ sale_id: 'kept', price: '95' }),
      row({ sale_id: 'gone', price: '80', status: 'unpaid' }),
      row({ sale_id: 'odd', company: 'SGC' }),
      row({ sale_id: 'waits', item_id: '11111111-1111-4111-8111-111111111111' }),
      row({ sale_id: 'bad', price: 'cheap' }),
    );
    expect(await importNow(db, report.importId)).toEqual({
      accepted: 4,
      rejected: 1,
      changed: 2,
      waiting: 1,
      unreadable: 1,
    });
    const before = await ledgerOf(db);
    const planned = await planUndo(db, report.importId, ADA, TODAY);
    expect(await ledgerOf(db)).toEqual(before);
    expect(planned).toMatchObject({ takenOut: 3, broughtBack: 2, cards: 2, prices: 3, waiting: 1, unreadable: 1 });
    const done = await undo(report.importId);
    expect({ ...done, decision: 0 }).toEqual({ ...planned, decision: 0 });
    expect(await seen(db, item)).toEqual(['$80', '$90']);
    expect(await seen(db, other)).toEqual([]);
    expect(await importNow(db, report.importId)).toMatchObject({ accepted: 0, rejected: 0 });
  });

  test('a second time changes nothing, and says who did it', async () => {
    const { report } = await load(row());
    expect((await undo(report.importId)).decision).not.toBeNull();
    const after = await ledgerOf(db);
    expect(await undo(report.importId)).toMatchObject({ decision: null, takenOut: 0, prices: 0 });
    expect(await ledgerOf(db)).toEqual(after);
    const [known] = await listImports(db, { kind: null, limit: 1 });
    expect(known!.undone).toMatchObject({ by: 'ada', why: 'the file was wrong' });
  });

  test('the file can be imported again, as if it had never been: every row is counted as on the first time', async () => {
    const rows = [
      row({ sale_id: 'a' }),
      row({ sale_id: 'b', company: 'SGC' }),
      row({ sale_id: 'c', status: 'unpaid' }),
    ];
    const first = (await load(...rows)).report;
    await undo(first.importId);
    const again = (await load(...rows)).report;
    expectSum(again);
    expect({ ...again, importId: 0 }).toEqual({ ...first, importId: 0 });
    expect(await seen(db, item)).toEqual(['$100', 'company_unsupported', 'unpaid']);
    expect((await load(...rows)).report).toMatchObject({ repeated: 3, added: 0 });
  });

  test('its waiting sales and unreadable rows leave the lists, come back with it, and with the file', async () => {
    const text = csv(
      row({ sale_id: 'waits', item_id: '11111111-1111-4111-8111-111111111111' }),
      row({ sale_id: 'bad', price: 'cheap' }),
    );
    const path = files.write(text);
    const listed = async () => [(await listUnmatched(db, 10)).total, (await listRejected(db, 10)).length];
    const { report } = await importFile(db, path);
    expect(await listed()).toEqual([1, 1]);
    await undo(report.importId);
    expect(await listed()).toEqual([0, 0]);
    expect(await rematch(db, { today: TODAY })).toMatchObject({ rows: 0 });
    const again = await importFile(db, path);
    expect(again.report).toMatchObject({ waiting: { item_unknown: 1 }, rejected: { bad_price: 1 } });
    expect(await listed()).toEqual([1, 1]);
    expect(await listRejected(db, 10, { importId: again.report.importId })).toMatchObject([
      { file: path, line: 3, reason: 'bad_price' },
    ]);
  });

  test('takes out what waited and was tried again later, too', async () => {
    const later = '11111111-1111-4111-8111-111111111111';
    const { report } = await load(row({ item_id: later }));
    await anItem(db, { id: later, number: '9' });
    expect(await rematch(db, { today: TODAY })).toMatchObject({ added: 1 });
    expect(await seen(db, later)).toEqual(['$100']);
    expect(await undo(report.importId)).toMatchObject({ takenOut: 1, prices: 1 });
    expect(await seen(db, later)).toEqual([]);
  });

  test('leaves the waiting sales that an older one, still in force, reported alike', async () => {
    const later = '11111111-1111-4111-8111-111111111111';
    const waits = (saleId: string, price = '100') => row({ sale_id: saleId, item_id: later, price });
    const places = async () =>
      (await listUnmatched(db, 10)).sales.map((one) => [one.sourceSaleId, one.importId, one.line]);
    const older = (await load(waits('alike'), waits('changed'))).report.importId;
    const newer = (await load(waits('new'), waits('changed', '90'), waits('alike'))).report.importId;
    expect(await places()).toEqual([
      ['alike', older, 2],
      ['changed', newer, 3],
      ['new', newer, 2],
    ]);
    await undo(newer);
    expect(await places()).toEqual([['alike', older, 2]]);
    await undo(older);
    const again = (await load(waits('new'), waits('alike'))).report.importId;
    expect(await places()).toEqual([
      ['alike', again, 3],
      ['new', again, 2],
    ]);
  });

  test('while it runs ends it there', async () => {
    const { startImport } = await import('../../../src/sales/import/import-sales.ts');
    const { parseSale } = await import('../../../src/sales/sale.ts');
    const run = await startImport(db, 'test', TODAY);
    const raw = { item_id: item, company: 'PSA', grade: '10', price: '1', currency: 'USD', sold_at: '2026-05-01' };
    const sale = parseSale({ ...raw, source: 'ebay', sale_id: '1' });
    await run.take({ line: 1, sale: sale as never });
    await run.flush();
    await undo(run.report.importId);
    await run.take({ line: 2, sale: sale as never });
    await expect(run.flush()).rejects.toThrow('was undone while it ran');
    expect(await seen(db, item)).toEqual([]);
  });

  test.each([
    ['listings', 'ended_at'],
    ['catalog', 'addresses of cards'],
    ['certs', 'correct file of certs'],
  ])('of %s changes nothing and says what to do', async (kind, advice) => {
    await expect(undo(await anImport(db, kind))).rejects.toThrow(advice);
    expect(await db.query('select 1 from decisions')).toEqual([]);
  });

  test('of a listings file says so before anything is asked', async () => {
    const path = files.write('item_id,company,grade,price,currency,source,listing_id\n');
    const { importId } = await importListings(db, { format: ownListings, paths: [path], today: TODAY });
    await expect(planUndo(db, importId, ADA, TODAY)).rejects.toThrow('cannot be undone');
    await expect(undo(999_999)).rejects.toThrow('There is no import 999999');
  });
});

describe('a sale that two sources reported', () => {
  beforeEach(open);
  afterEach(() => fresh.close());
  const certified = (source: string, over: { [column: string]: string } = {}) =>
    row({ source, sale_id: source, cert: '12345678', ...over });
  const counted = async () =>
    (
      await db.query<{ source: string }>(
        `select source from sales s where rejection is null and not exists (select from sale_voids v where v.sale_id = s.id)
         order by 1`,
      )
    ).map(({ source }) => source);

  test.each([
    ['the primary first', ['ebay', 'goldin']],
    ['the other first', ['goldin', 'ebay']],
    ['an aggregator second', ['ebay', 'alt-sold']],
    ['an aggregator first', ['alt-sold', 'ebay']],
  ])('is counted by the other one once the import of the one that counted is undone: %s', async (_how, sources) => {
    const imports = new Map<string, number>();
    for (const source of sources) imports.set(source, (await load(certified(source))).report.importId);
    const [winner] = await counted();
    const [other] = sources.filter((source) => source !== winner);
    const done = await undo(imports.get(winner!)!);
    expect(await counted()).toEqual([other]);
    expect(done).toMatchObject({ takenOut: 1, broughtBack: 1, cards: 1, prices: 1 });
    // Both again: one of them counts.
    await load(certified(winner!));
    expect(await counted()).toHaveLength(1);
    await undo(imports.get(other!)!);
    expect(await counted()).toEqual([winner]);
  });

  test.each([
    ['first', ['goldin', 'ebay']],
    ['last', ['ebay', 'goldin']],
  ])(
    'and the source whose report came %s cancelled is not counted once the import of the other is undone',
    async (_how, sources) => {
      const imports = new Map<string, number>();
      for (const source of sources) imports.set(source, (await load(certified(source))).report.importId);
      const { report } = await load(certified('goldin', { status: 'unpaid' }));
      await undo(imports.get('ebay')!);
      expect(await counted()).toEqual([]);
      await undo(report.importId);
      expect(await counted()).toEqual(['goldin']);
    },
  );

  test('of three, the next one counts', async () => {
    const first = (await load(certified('ebay'))).report.importId;
    await load(certified('goldin'));
    await load(certified('myslabs'));
    await undo(first);
    expect(await counted()).toHaveLength(1);
    expect(await seen(db, item)).toHaveLength(2);
  });

  test('undone together is not counted at all', async () => {
    const { report } = await load(certified('ebay'), certified('goldin'));
    await undo(report.importId);
    expect(await counted()).toEqual([]);
    expect(await seen(db, item)).toEqual([]);
  });

  test('counts as its source reported it once the cancellation is undone, and the repetition stays out', async () => {
    await load(row({ sale_id: 'one' }));
    const cancelled = (await load(row({ sale_id: 'one', status: 'voided' }))).report.importId;
    const first = (await load(row({ source: 'alt-sold', sale_id: 'a' }))).report.importId;
    expect(await counted()).toEqual([]);
    await undo(cancelled);
    expect(await counted()).toEqual(['ebay']);
    await undo(first);
    expect(await counted()).toEqual(['ebay']);
  });

  test('and one cancelled counts as the other has it once the whole first report is undone', async () => {
    const { importId } = (await load(row({ sale_id: 'one' }))).report;
    await load(row({ sale_id: 'one', status: 'voided' }));
    await undo(importId);
    await load(row({ source: 'alt-sold', sale_id: 'a' }));
    expect(await counted()).toEqual(['alt-sold']);
  });

  test('and was corrected after its cancellation was undone is not the one that was cancelled', async () => {
    await load(row({ sale_id: 'one' }));
    await undo((await load(row({ sale_id: 'one', status: 'voided' }))).report.importId);
    await load(row({ sale_id: 'one', price: '150' }));
    await load(row({ source: 'alt-sold', sale_id: 'a' }));
    expect(await counted()).toEqual(['alt-sold', 'ebay']);
  });
});
