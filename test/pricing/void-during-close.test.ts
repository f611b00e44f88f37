import { expect, test } from 'vitest';
import type { Db, Session } from '../../src/db/client.ts';
import { formatDay } from '../../src/lib/day.ts';
import { quotesAsOf, quotesOf } from '../../src/pricing/read/quotes.ts';
import { dayOfRecord, linesOfDay } from '../../src/pricing/record/read-record.ts';
import { reprice } from '../../src/pricing/reprice.ts';
import { lineText } from '../../src/record/day-line.ts';
import { leafHash, rootOf, treeOf } from '../../src/record/merkle.ts';
import { anItem, aSale, aVoid } from '../support/builders.ts';
import { freshDatabase } from '../support/database/database.ts';
import { FIRST_DAY } from './ledger.ts';

const date = (day: number) => formatDay(FIRST_DAY + day);
const DAY = FIRST_DAY + 40;

/** The database, in which something happens just before the first statement of a session that contains `part`. */
function interrupted(db: Db, part: string, happens: () => Promise<void>): Db {
  let isDue = true;
  const watched = (session: Session): Session => ({
    ...session,
    query: async (text, values) => {
      if (isDue && text.includes(part)) {
        isDue = false;
        await happens();
      }
      return await session.query(text, values);
    },
  });
  return { ...db, session: (work) => db.session((session) => work(watched(session))) };
}

async function rootOfLines(db: Db, day: number): Promise<Buffer> {
  const leaves: Buffer[] = [];
  for await (const line of linesOfDay(db, (await dayOfRecord(db, day))!)) leaves.push(leafHash(lineText(line)));
  return rootOf(treeOf(leaves));
}

test.each([
  { when: 'between the sales and the voids of a page', sold: 40, before: 'from sale_voids v join' },
  { when: 'while another void of its card takes effect', sold: 30, before: ') as past where' },
])('a void that comes $when takes effect at the next close', async ({ sold, before }) => {
  const fresh = await freshDatabase();
  const { db } = fresh;
  const card = await anItem(db);
  for (const day of [10, 20, 25]) await aSale(db, { itemId: card, sold: date(day), usdCents: 100_00 });
  const other = await aSale(db, { itemId: card, sold: date(28), usdCents: 102_00 });
  const late = await aSale(db, { itemId: card, sold: date(sold), usdCents: 130_00 });
  await reprice(db, { through: DAY - 1 });
  await aVoid(db, other, 'unpaid', date(40));

  await reprice(
    interrupted(db, before, () => aVoid(db, late, 'unpaid', date(40))),
    { through: DAY },
  );
  const [published] = (await quotesAsOf(db, [card], DAY)).get(card)!;
  expect(published!.totalObservationCount).toBe(4);
  expect(published!.priceUsdCents).toBeGreaterThan(110_00);
  await reprice(db, { through: DAY + 1 });
  expect((await quotesOf(db, [card])).get(card)![0]!.totalObservationCount).toBe(3);
  for (const day of [DAY, DAY + 1]) expect(await rootOfLines(db, day)).toEqual((await dayOfRecord(db, day))!.root);
  const uses = await db.query('select voided_day from sale_uses where sale_id = $1', [late]);
  expect(uses).toEqual([{ voided_day: DAY + 1 }]);
  await fresh.close();
});
