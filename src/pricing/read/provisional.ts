import { groupBy } from '../../lib/group-by.ts';
import { newCard } from '../model/card.ts';
import type { CardUpdate } from '../model/influence.ts';
import { closeMarket } from '../model/market.ts';
import { gameOf, setOf } from '../model/model.ts';
import { takeInto } from '../model/replay.ts';
import { snapshotOf } from '../model/snapshot.ts';
import { decodeCard } from '../store/card-bytes.ts';
import type { ItemRows, LastClose, PendingSale } from '../store/item-rows.ts';
import type { Published } from './published.ts';

/** An item as it would be had its waiting sales been closed already. */
export type ProvisionalRows = ItemRows & {
  /** The day it is quoted on: the last closed one; before the first close, that of its newest sale. */
  day: number;
  /** When the newest of those sales was recorded. */
  recordedAtMs: number;
  /** Its updates by those sales. */
  updates: CardUpdate[];
};

/**
 * The item's rows with its waiting sales taken into a copy of its card, the market as it was at the last close (section
 * 3, intraday); a game that no close has opened has its market at zero, as its first close begins it. Nothing is written:
 * the close takes the same sales in from the state at its open.
 */
export function withPending({ model, sources }: Published, item: ItemRows, last: LastClose | null): ProvisionalRows {
  const dueDay = (sale: PendingSale) => last?.day ?? Math.max(sale.soldDay, sale.knownDay);
  const pending = [...item.pending].sort((a, b) => dueDay(a) - dueDay(b) || a.id - b.id);
  const day = dueDay(pending.at(-1)!);
  const game = gameOf(model, item.game);
  if (game.market.firstDay < 0) closeMarket(game.market, day);
  const set = setOf(model, item.game, String(item.setId));
  const card =
    item.state === null
      ? newCard(item.itemId, game, set, dueDay(pending[0]!), model.params)
      : decodeCard(item.itemId, item.state, game, set);
  for (const [closedDay, ofDay] of groupBy(pending, dueDay)) {
    const sales = ofDay.map(({ id, gradeKey, source, soldDay, soldAtMs, priceUsdCents, venue }) => {
      const place = sources.indexOf(source);
      return {
        id,
        grade: model.gradeIndex.get(gradeKey)!,
        source: place < 0 ? sources.push(source) - 1 : place,
        soldDay: Math.min(soldDay, closedDay),
        soldAtMs,
        priceUsdCents,
        venue,
      };
    });
    takeInto(model, card, sales, closedDay);
  }
  const snapshots = new Map(item.snapshots);
  for (const { grade } of card.grades) {
    const earlier = (snapshots.get(grade) ?? []).filter((snapshot) => snapshot.day < day);
    snapshots.set(grade, [...earlier, snapshotOf(card, grade, model.params)]);
  }
  const recordedAtMs = Math.max(...pending.map((sale) => sale.recordedAtMs));
  return { ...item, card, snapshots, day, recordedAtMs, updates: card.updates };
}
