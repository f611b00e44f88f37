import type { Db } from '../../../src/db/client.ts';
import { takeBack } from '../../../src/desk/take-back.ts';
import { dropSale } from '../../../src/sales/deciding/drop-sale.ts';
import { matchSale } from '../../../src/sales/deciding/match-sale.ts';
import { listUnmatched } from '../../../src/sales/import/waiting.ts';
import { undoImport } from '../../../src/sales/undoing/undo-import.ts';
import { anItem } from '../../support/builders.ts';
import { csv, importFile, rowOf, type SalesFiles, TODAY } from '../import-world.ts';
import { ADA, seen } from '../undoing/undo-world.ts';

/** An id of no card: a row with it waits. */
export const NOBODY = '11111111-1111-4111-8111-111111111111';

/** One sale, the cards that it may be of, and what was done to it by name. */
export type Decided = {
  db: Db;
  files: SalesFiles;
  cards: { X: string; Y: string };
  saleId: string;
  today: number;
  /** Imports and decisions by the word that made them. */
  imports: Map<string, number>;
  decisions: Map<string, number>;
};

/** A new sale of an id, which may be of two new cards, with nothing done to it yet. */
export async function newDecided(db: Db, files: SalesFiles, saleId: string): Promise<Decided> {
  const cards = { X: await anItem(db, { number: `${saleId}x` }), Y: await anItem(db, { number: `${saleId}y` }) };
  return { db, files, cards, saleId, today: TODAY, imports: new Map(), decisions: new Map() };
}

/**
 * Runs a script of one sale. `A=100` is an import named A that reports it for $100 as a sale of card X, `W?100` one whose row
 * names no card, `V!` one that cancels it, naming no card; `mX` matches it to card X, `d` drops it; `-A` undoes an import and `+A` takes that back, `-mX` and `-d` take a
 * decision back. A word may be repeated with a further name: `mY/2` and `-mY/2`.
 */
export async function runDecisions(world: Decided, script: string): Promise<void> {
  for (const word of script.split(' ')) await decide(world, word);
}

export async function decide(world: Decided, word: string): Promise<void> {
  const { db, files, cards, saleId, today, imports, decisions } = world;
  const [, reported, how, price] = /^([A-Z]\w*)(?:([=?])(\d+)|!)$/.exec(word) ?? [];
  if (reported !== undefined) {
    const status = price === undefined ? 'voided' : '';
    const row = rowOf(how === '=' ? cards.X : NOBODY, { price: price ?? '100', sale_id: saleId, status });
    imports.set(reported, (await importFile(db, files.write(csv(row)), today)).report.importId);
    return;
  }
  const name = { source: 'ebay', saleId };
  const taken = word.slice(1);
  if (word.startsWith('+')) await takeBack(db, await undoneBy(db, imports.get(taken)!), ADA, today);
  else if (word.startsWith('-') && imports.has(taken)) await undoImport(db, imports.get(taken)!, ADA, today);
  else if (word.startsWith('-')) await takeBack(db, decisions.get(taken)!, ADA, today);
  else if (word.startsWith('d')) decisions.set(word, await dropSale(db, name, ADA, today));
  else {
    const target = { itemId: cards[word[1] as 'X' | 'Y'], grade: null };
    decisions.set(word, (await matchSale(db, name, target, ADA, today)).decision);
  }
}

async function undoneBy(db: Db, importId: number): Promise<number> {
  const [row] = await db.query<{ undone: number }>('select undone_by as undone from imports where id = $1', [importId]);
  return row!.undone;
}

/** Where the sale is now: on which card for how much, or why out; `waits` where it is in the queue, for $100 unless it says so. */
export async function placeOf({ db, cards, saleId }: Decided): Promise<string[]> {
  const of = async (card: 'X' | 'Y') => (await seen(db, cards[card])).map((what) => `${card} ${what}`);
  const { sales } = await listUnmatched(db, 1000);
  const waiting = sales.filter((sale) => sale.sourceSaleId === saleId).map(({ priceMinor }) => priceMinor);
  const waits = waiting.map((minor) => (minor === 100_00 ? 'waits' : `waits at $${minor / 100}`));
  return [...(await of('X')), ...(await of('Y')), ...waits];
}
