import type { Sql } from '../db/client.ts';
import type { CardGrade } from './card.ts';
import { type LineWorld, quoteOn } from './daily-line.ts';
import { type ItemRows, itemRows } from './item-rows.ts';
import { modelAt, type ProvisionalRows, withPending } from './provisional.ts';
import { lineWorld, type Published, publishedAt } from './published.ts';
import { isPriced, type LogQuote, type Touch } from './quote.ts';

/** A tracked series with what its quotes are computed from. */
export type Series = {
  item: ItemRows | ProvisionalRows;
  gradeKey: string;
  /** The last closed day; null before the first close. */
  closedDay: number | null;
  /** Null while no sale of its own has been taken in. */
  own: CardGrade | null;
  touches: readonly Touch[];
  /** Null where nothing can be quoted: no close yet, or no sale of the card in any grade. */
  world: LineWorld | null;
};

/**
 * The tracked series of items: those that sold, whose first sale waits for its close, or that have a registered cert. As
 * of the last close; `provisional`: with the sales that have become known since.
 */
export async function seriesOfItems(
  sql: Sql,
  itemIds: readonly string[],
  { fromDay = null, provisional = false }: { fromDay?: number | null; provisional?: boolean } = {},
): Promise<Series[]> {
  const { closedDay, items: closed } = await itemRows(sql, itemIds, fromDay);
  const published = closedDay === null ? null : await publishedAt(sql, closedDay);
  const waits = provisional && closedDay !== null && closed.some(({ pending }) => pending.length > 0);
  const model = waits ? await modelAt(sql, closedDay) : null;
  const items = model === null ? closed : closed.map((item) => withPending(model, item));
  return items.flatMap((item) => {
    const keys = new Set(item.card?.grades.map(({ grade }) => published!.gradeKeys[grade]!));
    for (const gradeKey of item.waiting) keys.add(gradeKey);
    return [...keys].map((gradeKey) => oneSeries(item, gradeKey, closedDay, published));
  });
}

function oneSeries(item: ItemRows, gradeKey: string, closedDay: number | null, published: Published | null): Series {
  const grade = published?.gradeIndex.get(gradeKey);
  if (published === null || item.card === null || grade === undefined) {
    return { item, gradeKey, closedDay, own: null, touches: [], world: null };
  }
  const own = item.card.grades.find((one) => one.grade === grade) ?? null;
  const world = lineWorld(published, item.game, item.setDeltas, grade);
  return { item, gradeKey, closedDay, own, touches: own === null ? onCurve(item) : touchesOf(item, grade), world };
}

function touchesOf(item: ItemRows, grade: number): Touch[] {
  return item.touches.get(grade) ?? [];
}

/** A grade without a sale of its own lies on the curve, wherever its card is. */
function onCurve(item: ItemRows): Touch[] {
  const other = item.card!.grades[0]!.grade;
  return touchesOf(item, other).map((touch) => ({ ...touch, level: null, ownSales: 0 }));
}

/** The series' quote in logs at the close of a day, or null when it had no price then. */
export function pricedOn({ touches, world }: Series, day: number): LogQuote | null {
  const quote = world === null ? null : quoteOn(touches, day, world);
  return quote !== null && isPriced(quote, world!.params) ? quote : null;
}
