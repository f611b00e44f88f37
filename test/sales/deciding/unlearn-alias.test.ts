import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeBack, takenBackWords } from '../../../src/desk/take-back.ts';
import { dropSale } from '../../../src/sales/deciding/drop-sale.ts';
import { matchSale } from '../../../src/sales/deciding/match-sale.ts';
import { teachAlias } from '../../../src/sales/deciding/teach-alias.ts';
import { startImport } from '../../../src/sales/import/import-sales.ts';
import { listUnmatched, rematch } from '../../../src/sales/import/waiting.ts';
import { parseSale, type Sale } from '../../../src/sales/sale.ts';
import { undoImport } from '../../../src/sales/undoing/undo-import.ts';
import { anItem, aSet } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { importFile, type SalesFiles, salesFiles, TODAY } from '../import-world.ts';
import { ADA } from '../undoing/undo-world.ts';

let fresh: FreshDatabase;
let cards: { skies: string; other: string };
const files: SalesFiles = salesFiles();

beforeAll(async () => {
  fresh = await freshDatabase();
  const set = await aSet(fresh.db, { name: 'Evolving Skies' });
  const skies = await anItem(fresh.db, { set, number: '215', name: 'Umbreon VMAX' });
  cards = { skies, other: await anItem(fresh.db, { set, number: '218', name: 'Rayquaza VMAX' }) };
});
afterAll(async () => {
  await fresh.close();
  files.remove();
});

/** One sale, whose title has two names that a row may teach: `set` and `card`. */
type World = {
  saleId: string;
  words: { set: string; card: string };
  decisions: Map<string, number>;
  imports: number[];
};

/**
 * `sale` reports it for $100 and `sale=90` for $90, `half` with the set as the catalog calls it, `void` cancels it, `exact`
 * names its card by id; `set` and `card` teach, `-set` and `-card` take that back; `match` and `drop` are a person's, `-match`
 * and `-drop` take them back; `undo` undoes the last import, `redo` takes that back.
 */
async function run(world: World, step: string): Promise<string | null> {
  const { db } = fresh;
  const { saleId, words, decisions, imports } = world;
  const name = { source: 'ebay', saleId };
  const [what, price = '100'] = step.split('=') as [string, string?];
  const report = async (status: string, itemId = '', set = words.set) => {
    const header = 'item_id,title,company,grade,price,currency,sold_at,source,sale_id,status';
    const title = `Pokemon ${words.card} 215/203 ${set} PSA 10`;
    const row = `${itemId},${title},${itemId && 'PSA'},${itemId && '10'},${price},USD,2026-05-01,ebay,${saleId},${status}`;
    imports.push((await importFile(db, files.write(`${header}\n${row}\n`))).report.importId);
  };
  if (what === 'sale') await report('');
  else if (what === 'half') await report('', '', 'Evolving Skies');
  else if (what === 'void') await report('voided');
  else if (what === 'exact') await report('', cards.skies);
  else if (what === 'rematch') await rematch(db, { today: TODAY });
  else if (what === 'drop') decisions.set(what, await dropSale(db, name, ADA, TODAY));
  else if (what === 'undo') decisions.set(what, (await undoImport(db, imports.at(-1)!, ADA, TODAY)).decision!);
  else if (what === 'match')
    decisions.set(what, (await matchSale(db, name, { itemId: cards.other, grade: null }, ADA, TODAY)).decision);
  else if (what === 'set' || what === 'card') {
    const alias = {
      game: 'pokemon',
      said: words[what],
      meant: what === 'set' ? 'Evolving Skies' : 'Umbreon VMAX',
    } as const;
    decisions.set(what, (await teachAlias(db, alias, ADA)).decision);
  } else {
    const taken = await takeBack(db, decisions.get(what === 'redo' ? 'undo' : what.slice(1))!, ADA, TODAY);
    return taken.kind === 'title_alias' ? takenBackWords(taken).replace(/.* no more; /, '') : null;
  }
  return null;
}

async function placeOf({ saleId }: World): Promise<string> {
  const rows = await fresh.db.query<{ item: string; out: string | null; price: number }>(
    `select s.item_id as item, coalesce(v.reason, s.rejection) as out, s.price_minor / 100 as price from sales s
     left join sale_voids v on v.sale_id = s.id where s.source_sale_id = $1 order by s.revision desc limit 1`,
    [saleId],
  );
  const [row] = rows;
  const recorded =
    row === undefined ? [] : [row.out ?? `${row.item === cards.skies ? 'skies' : 'other'} $${row.price}`];
  const { sales } = await listUnmatched(fresh.db, 1000);
  const waiting = sales
    .filter((sale) => sale.sourceSaleId === saleId)
    .map(({ priceMinor, reason }) => `waits $${priceMinor / 100} ${reason}`);
  return [...recorded, ...waiting].join(', ');
}

const ONE = 'the sale that it had matched waits again';
const NONE = 'no sale waits again';
const WAITS = 'undone, waits $100 alias_taken_back';

test.each<[steps: string, place: string, words: string | null]>([
  ['set card sale', 'skies $100', null],
  // The newest of two, and the older one.
  ['set card sale -card', WAITS, ONE],
  ['set card sale -set', WAITS, ONE],
  ['set card sale -set -card', WAITS, NONE],
  ['set card sale -set set rematch', 'skies $100', null],
  ['set card sale -set set rematch -set', WAITS, ONE],
  ['sale set card rematch -card', WAITS, ONE],
  // A sale that needs the other name only.
  ['set card half -set', 'skies $100', NONE],
  ['set card half -card', WAITS, ONE],
  // As its source last reported it.
  ['set card sale sale=90 -card', 'undone, waits $90 alias_taken_back', ONE],
  ['set card sale -card sale=90', 'undone, waits $90 card_unknown', null],
  // What a row or a person states, stays.
  ['set card sale exact=90 -card', 'skies $90', NONE],
  ['set card sale match -card', 'other $100', NONE],
  ['set card sale match -card -match', WAITS, null],
  ['set card sale match -match -card', WAITS, ONE],
  ['set card sale -card match', 'other $100', null],
  ['set card sale -card match -match', WAITS, null],
  // A person dropped it, its source canceled it, its import was undone: nobody has to match it.
  ['set card sale drop -card', 'dropped', NONE],
  ['set card sale drop -card -drop', 'dropped, waits $100 alias_taken_back', null],
  ['set card sale -card drop', 'undone', null],
  ['set card sale void -card', 'voided', NONE],
  ['set card void -card', 'undone', NONE],
  ['set card void -card sale', 'undone', null],
  ['set card sale undo -card', 'undone', NONE],
  ['set card sale undo -card redo', WAITS, null],
])('%s: %s', async (steps, place, words) => {
  const letters = [...steps].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 456_976, 7);
  const word = [0, 1, 2, 3].map((at) => String.fromCharCode(97 + (Math.floor(letters / 26 ** at) % 26))).join('');
  const world: World = {
    saleId: steps,
    words: { set: `qu${word}`, card: `zo${word}` },
    decisions: new Map(),
    imports: [],
  };
  let said: string | null = null;
  for (const step of steps.split(' ')) said = await run(world, step);
  expect([await placeOf(world), said]).toEqual([place, words]);
});

test('taken back while an import runs, the name does not match the rest of the import', async () => {
  const { db } = fresh;
  const world: World = {
    saleId: 'cut',
    words: { set: 'qucut', card: 'zocut' },
    decisions: new Map(),
    imports: [],
  };
  await run(world, 'card');
  await run({ ...world, saleId: 'cut/3' }, 'exact');
  const import_ = await startImport(db, 'test', TODAY);
  const take = async (saleId: string, price = '100') => {
    const raw = { title: 'Pokemon zocut 215/203 Evolving Skies PSA 10', price, currency: 'USD' };
    const sale = parseSale({ ...raw, sold_at: '2026-05-01', source: 'ebay', sale_id: saleId }) as Sale;
    await import_.take({ line: 1, sale });
    await import_.flush();
  };
  await take('cut/1');
  await run(world, '-card');
  await take('cut/2');
  await take('cut/3', '90');
  const decisionId = world.decisions.get('card')!;
  expect(await placeOf({ ...world, saleId: 'cut/1' })).toBe(WAITS);
  expect(await placeOf({ ...world, saleId: 'cut/2' })).toBe('waits $100 alias_taken_back');
  // What another row states of its card, stays.
  expect(await placeOf({ ...world, saleId: 'cut/3' })).toBe('skies $90');
  expect(await db.query('select from sales where decision_id = $1', [decisionId])).toHaveLength(1);
  // One that is recorded already is tried again by its card.
  const recorded = parseSale({
    ...{ item_id: cards.skies, company: 'PSA', grade: '10', price: '100', currency: 'USD', sold_at: '2026-05-01' },
    ...{ source: 'ebay', sale_id: 'cut/1' },
  }) as Sale;
  await import_.take({ line: 1, sale: recorded, decisionId });
  await import_.flush();
  expect(await placeOf({ ...world, saleId: 'cut/1' })).toBe(WAITS);
  expect(await import_.finish()).toMatchObject({
    rows: 4,
    added: 1,
    corrected: 1,
    repeated: 1,
    waiting: { alias_taken_back: 1 },
  });
  await rematch(db, { today: TODAY });
  expect(await placeOf({ ...world, saleId: 'cut/1' })).toBe('undone, waits $100 card_unknown');
});
