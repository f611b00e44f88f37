import { afterAll, beforeAll, expect, test } from 'vitest';
import { readGame } from '../../src/audit/read-game.ts';
import { readTitles } from '../../src/audit/read-titles.ts';
import { loadTitles } from '../../src/sales/titles.ts';
import { anItem, aSale, aVoid } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let database: FreshDatabase;
let plain: string;
let holo: string;
beforeAll(async () => {
  database = await freshDatabase();
  plain = await anItem(database.db, { number: '4', name: 'Mewtwo' });
  holo = await anItem(database.db, { number: '4', name: 'Mewtwo', variation: 'Reverse Holo' });
});
afterAll(() => database.close());

/** A sale of the plain printing with a title. */
async function titled(
  title: string,
  details: { sold?: string; source?: string; rejection?: string; gradeKey?: string } = {},
): Promise<number> {
  const id = await aSale(database.db, { itemId: plain, sold: '2026-06-20', usdCents: 50_00, ...details });
  await database.db.query('update sales set title = $2 where id = $1', [id, title]);
  return id;
}

const cells = async () => (await readGame(database.db, 'pokemon', () => loadTitles(database.db))).titles;

test('titles are counted by what they mean, each once an item and source', async () => {
  const [set] = await database.db.query<{ name: string }>('select name from sets');
  await titled(`Mewtwo ${set!.name} #4 PSA 10`);
  await titled(`Mewtwo ${set!.name} #4 PSA 10`);
  await titled(`MEWTWO ${set!.name} #4 Reverse Holo PSA 10`);
  await titled(`MEWTWO ${set!.name} #4 Reverse Holo gem mint PSA 10`);
  await titled('a card that nobody knows');
  await titled(`Mewtwo ${set!.name} #4 Reverse Holo PSA 9`, { sold: '2025-01-01' });
  await titled(`Mewtwo ${set!.name} #4 Reverse Holo CGC`, { rejection: 'not_card' });
  await titled(`Mewtwo ${set!.name} #4 Reverse Holo PSA 10`, { source: 'shop' });
  const voided = await titled(`Mewtwo ${set!.name} Reverse Holo 4`);
  await aVoid(database.db, voided, 'unpaid', '2026-06-21');
  const named = (await cells()).map(({ source, means, titles }) => [source, means === holo ? 'holo' : 'plain', titles]);
  expect(named.sort()).toEqual([
    ['ebay', 'holo', 2],
    ['ebay', 'plain', 1],
    ['shop', 'holo', 1],
  ]);
});

test('of more titles than twelve the newest of each grade are read', async () => {
  const [set] = await database.db.query<{ name: string }>('select name from sets');
  const ofGrade = (gradeKey: string, day: string, words: string[]) =>
    Promise.all(
      words.map((word) =>
        titled(`Mewtwo ${set!.name} #4 ${word}`, { sold: `2026-06-${day}`, source: 'fair', gradeKey }),
      ),
    );
  await ofGrade('psa-10', '28', [...'abcdefghijklmn']);
  await ofGrade('psa-9', '02', ['x', 'y', 'z']);
  const read = (await cells()).filter(({ source }) => source === 'fair');
  expect(read.map(({ gradeKey, titles }) => [gradeKey, titles]).sort()).toEqual([
    ['psa-10', 9],
    ['psa-9', 3],
  ]);
});

test('of more titles than twelve the newest are read, and a catalog only where there are titles', async () => {
  const [set] = await database.db.query<{ name: string }>('select name from sets');
  for (let day = 1; day <= 14; day++)
    await titled(`Mewtwo ${set!.name} #4 Reverse Holo ${'x'.repeat(day)} PSA 10`, {
      sold: `2026-07-${String(day).padStart(2, '0')}`,
    });
  const [cell] = (await cells()).filter(({ means, source }) => means === holo && source === 'ebay');
  expect(cell!.titles).toBe(12);
  const book = () => Promise.reject(new Error('the catalog was read'));
  expect(await readTitles(database.db, 'pokemon', [holo], 0, book)).toEqual([]);
  await expect(readTitles(database.db, 'pokemon', [plain], 0, book)).rejects.toThrow('the catalog was read');
});

test('a sale that was rejected or voided, of whatever day, does not make the others old', async () => {
  const before = await cells();
  await titled('Mewtwo', { sold: '2028-01-01', rejection: 'future_date' });
  const voided = await titled('Mewtwo', { sold: '2028-01-02' });
  await aVoid(database.db, voided, 'unpaid', '2028-01-03');
  expect(await cells()).toEqual(before);
  expect(before.length).toBeGreaterThan(0);
});
