import type { Db } from '../../src/db/client.ts';
import { anItem, closeDays, manySales } from '../support/builders.ts';
import { jitter } from './rows.ts';

/** Ids of a plain printing and its holo. */
export type Printings = { plain: string; holo: string };

const CARDS = 12;

/**
 * A set whose holos sell for five times the price of the plain printings, except that the third card’s have each other’s sales; every
 * day is closed. Returns its cards in the order of numbers.
 */
export async function aSwappedCard(db: Db): Promise<Printings[]> {
  const cards: Printings[] = [];
  for (let at = 0; at < CARDS; at++) {
    const of = { number: `${at + 1}`, name: `Card ${at + 1}` };
    const card = { plain: await anItem(db, of), holo: await anItem(db, { ...of, variation: 'Holo' }) };
    const usdCents = Math.round(2000 * Math.exp(jitter(at)));
    const sold = at === 2 ? { plain: card.holo, holo: card.plain } : card;
    await manySales(db, { itemId: sold.plain, usdCents });
    await manySales(db, { itemId: sold.holo, usdCents: Math.round(5 * usdCents * Math.exp(jitter(at + 5))) });
    cards.push(card);
  }
  await closeDays(db);
  return cards;
}

/** Puts the sales of two printings where they belong. */
export async function mendSales(db: Db, { plain, holo }: Printings): Promise<void> {
  await db.query(
    'update sales set item_id = case item_id when $1::uuid then $2::uuid else $1 end where item_id in ($1, $2)',
    [plain, holo],
  );
}
