import type { Sql } from '../db/client.ts';
import { type LineWorld, quoteOn } from './daily-line.ts';
import { lineWorld, publishedAt, type SetDeltas } from './published.ts';
import { confidenceOf, isPriced, type Touch } from './quote.ts';
import { decodeTouches, periodOf } from './touch-bytes.ts';

export type SeriesName = { itemId: string; gradeKey: string };

/** What the close of a day published of a series: unrounded dollars, unrounded confidence (0 to 1). */
export type Close = { priceUsd: number; confidence: number };

const ITEMS_PAGE = 2000;

/**
 * What the daily lines of many series say for each day from `fromDay` to `toDay`: a list for each series in the order
 * given, null for a day without a price. Unlike a quote it never lends a grade the curve: what was published of a grade
 * stays when its sales are voided later, and from that close on it has no price. `toDay` must be closed.
 */
export async function closesOf(
  sql: Sql,
  series: readonly SeriesName[],
  fromDay: number,
  toDay: number,
): Promise<(Close | null)[][]> {
  if (series.length === 0) return [];
  const published = await publishedAt(sql, toDay);
  const worlds = new Map<string, LineWorld>();
  const places = new Map<string, number[]>();
  for (const [place, { itemId }] of series.entries()) places.set(itemId, [...(places.get(itemId) ?? []), place]);
  const closes: (Close | null)[][] = new Array(series.length);
  const itemIds = [...places.keys()];
  for (let i = 0; i < itemIds.length; i += ITEMS_PAGE) {
    for (const item of await touchedItems(sql, itemIds.slice(i, i + ITEMS_PAGE), fromDay, toDay)) {
      for (const place of places.get(item.id)!) {
        const grade = published.gradeIndex.get(series[place]!.gradeKey);
        const touches = grade === undefined ? undefined : item.touches.get(grade);
        if (touches === undefined) continue;
        const name = `${item.setId} ${grade}`;
        let world = worlds.get(name);
        if (world === undefined) {
          world = lineWorld(published, item.game, item.setDeltas, grade!);
          worlds.set(name, world);
        }
        closes[place] = closesOfLine(touches, fromDay, toDay, world);
      }
    }
  }
  const unpriced = new Array<null>(toDay - fromDay + 1).fill(null);
  return Array.from(closes, (ofSeries) => ofSeries ?? unpriced);
}

function closesOfLine(touches: readonly Touch[], fromDay: number, toDay: number, world: LineWorld): (Close | null)[] {
  const closes: (Close | null)[] = [];
  for (let day = fromDay; day <= toDay; day++) {
    const quote = quoteOn(touches, day, world);
    closes.push(
      quote !== null && isPriced(quote, world.params)
        ? { priceUsd: Math.exp(quote.mean), confidence: confidenceOf(quote, world.params) }
        : null,
    );
  }
  return closes;
}

type TouchedItem = { id: string; game: string; setId: number; setDeltas: SetDeltas; touches: Map<number, Touch[]> };

/** The items with the touches in force on the days, by grade; items that never sold have none. */
async function touchedItems(
  sql: Sql,
  itemIds: readonly string[],
  fromDay: number,
  toDay: number,
): Promise<TouchedItem[]> {
  const rows = await sql.prepared<{ id: string; game: string; set_id: number; touches: Buffer }>(
    'pricing_closes',
    `select i.id, i.game, i.set_id, t.touches from items i cross join lateral (
       (select period, touches from card_touches where item_id = i.id and period between $2 and $3)
       union all
       (select period, touches from card_touches where item_id = i.id and period < $2 order by period desc limit 1)
     ) t where i.id = any($1) order by i.id, t.period`,
    [itemIds, periodOf(fromDay), periodOf(toDay)],
  );
  const deltas = await setDeltasOf(sql, [...new Set(rows.map((row) => row.set_id))], fromDay, toDay);
  const items: TouchedItem[] = [];
  for (const { id, game, set_id: setId, touches } of rows) {
    let item = items.at(-1);
    if (item?.id !== id) {
      item = { id, game, setId, setDeltas: deltas.get(setId) ?? [], touches: new Map() };
      items.push(item);
    }
    decodeTouches(touches, item.touches);
  }
  return items;
}

/** What the sets add to their curves: in force on `fromDay`, and from refits until `toDay`. */
async function setDeltasOf(
  sql: Sql,
  setIds: readonly number[],
  fromDay: number,
  toDay: number,
): Promise<Map<number, SetDeltas>> {
  const rows = await sql.prepared<{ set_id: number; day: number; terms: number[] }>(
    'pricing_closes_deltas',
    `select w.id as set_id, v.day, v.terms
     from sets w cross join lateral (
       (select day, terms from curves where game = w.game and set_id = w.id and day > $2 and day <= $3)
       union all
       (select day, terms from curves where game = w.game and set_id = w.id and day <= $2 order by day desc limit 1)
     ) v where w.id = any($1) order by w.id, v.day`,
    [setIds, fromDay, toDay],
  );
  const deltas = new Map<number, SetDeltas>();
  for (const { set_id, day, terms } of rows) {
    const ofSet = deltas.get(set_id);
    if (ofSet === undefined) deltas.set(set_id, [{ day, deltas: terms }]);
    else ofSet.push({ day, deltas: terms });
  }
  return deltas;
}
