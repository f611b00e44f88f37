import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeBack, takenBackWords } from '../../../src/desk/take-back.ts';
import { teachAlias } from '../../../src/sales/deciding/teach-alias.ts';
import { listUnmatched, rematch } from '../../../src/sales/import/waiting.ts';
import { matchTitle } from '../../../src/sales/match/match-title.ts';
import { readTitle } from '../../../src/sales/match/read-title.ts';
import { openTitleBook } from '../../../src/sales/titles.ts';
import { anItem, aSet } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { importFile, type SalesFiles, salesFiles, TODAY } from '../import-world.ts';
import { ADA, seen } from '../undoing/undo-world.ts';

let fresh: FreshDatabase;
let card: string;
const files: SalesFiles = salesFiles();
const TITLE = 'Pokemon Umbreon VMAX 215/203 Evo Skies PSA 10';
const PATIENCE = { timeout: 10_000 };
const EVO_SKIES = { game: 'pokemon', said: 'EVO skies', meant: 'evolving skies' } as const;

beforeAll(async () => {
  fresh = await freshDatabase();
  const set = await aSet(fresh.db, { name: 'Evolving Skies' });
  card = await anItem(fresh.db, { set, number: '215', name: 'Umbreon VMAX' });
});
afterAll(async () => {
  await fresh.close();
  files.remove();
});

const waitingIds = async () => (await listUnmatched(fresh.db, 10)).sales.map(({ sourceSaleId }) => sourceSaleId);

function report(saleId: string) {
  const header = 'title,price,currency,sold_at,source,sale_id';
  return importFile(fresh.db, files.write(`${header}\n${TITLE},100,USD,2026-05-01,ebay,${saleId}\n`));
}

test('a taught name matches what waits and what comes, until it is taken back; then what it has matched waits again', async () => {
  const { db } = fresh;
  const book = await openTitleBook(db);
  const meaning = async () => {
    const match = matchTitle(readTitle(TITLE), await book());
    return match.matched ? match.itemId : match.reason;
  };
  await report('before');
  expect(await waitingIds()).toEqual(['before']);
  expect(await meaning()).toBe('set_unknown');

  const { decision, name } = await teachAlias(db, EVO_SKIES, ADA);
  expect(name).toBe('Evolving Skies');
  await expect.poll(meaning, PATIENCE).toBe(card);
  expect(await rematch(db, { today: TODAY })).toMatchObject({ added: 1 });
  await report('between');
  expect(await waitingIds()).toEqual([]);

  const takenBack = await takeBack(db, decision, ADA, TODAY);
  expect(takenBackWords(takenBack)).toMatch(/means Evolving Skies no more; 2 sales that it had matched wait again$/);
  await expect.poll(meaning, PATIENCE).toBe('set_unknown');
  await report('after');
  expect(await waitingIds()).toEqual(['after', 'before', 'between']);
  expect(await seen(db, card)).toEqual([]);
});

test.each([
  [{ said: 'evo skies', meant: 'Evolving Stars' }, 'No set and no card of pokemon is called "Evolving Stars"'],
  [{ said: 'evo skies', meant: 'Evolving Skies', game: 'mtg' as const }, 'No set and no card of mtg'],
  [{ said: 'Umbreon VMAX', meant: 'Evolving Skies' }, '"Umbreon VMAX" is a name of the catalog itself: Umbreon VMAX.'],
  [{ said: 'card', meant: 'Evolving Skies' }, '"card" does not name anything'],
  [{ said: 'japanese', meant: 'Evolving Skies' }, '"japanese" does not name anything'],
  [{ said: ' #12 ', meant: 'Evolving Skies' }, 'does not name anything'],
])('%j is rejected: %s', async (alias, message) => {
  await expect(teachAlias(fresh.db, { game: 'pokemon', ...alias }, ADA)).rejects.toThrow(message);
});

test('words that have a meaning get no second one', async () => {
  const { decision } = await teachAlias(fresh.db, EVO_SKIES, ADA);
  await expect(teachAlias(fresh.db, { ...EVO_SKIES, said: 'Evo-Skies', meant: 'Umbreon VMAX' }, ADA)).rejects.toThrow(
    `"Evo-Skies" means Evolving Skies already, by decision ${decision}`,
  );
  await takeBack(fresh.db, decision, ADA, TODAY);
  await teachAlias(fresh.db, { ...EVO_SKIES, meant: 'Umbreon VMAX' }, ADA);
});
