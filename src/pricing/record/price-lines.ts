import type { Sql } from '../../db/client.ts';
import type { DayLine } from '../../record/day-line.ts';
import type { Curve } from '../model/curve/curve.ts';
import { periodOf, snapshotDays } from '../store/snapshot-bytes.ts';
import { readEvents } from './ledger-events.ts';
import {
  cardLine,
  curveLine,
  headerLine,
  type RecordedDay,
  readCalibration,
  readGradeKeys,
  readMarkets,
} from './read-lines.ts';

/** A line, and the day whose record has it. */
export type LineOfDay = { day: number; line: DayLine };

type Item = { item: string; game: string; set: number };

/**
 * The lines that the price of a card at the close of a day is computed from; null where nothing of it had sold by then. `sql`
 * reads the tables of the day's version.
 */
export async function priceLinesOf(sql: Sql, recorded: RecordedDay, itemId: string): Promise<LineOfDay[] | null> {
  const { day } = recorded;
  const [item] = await sql.query<Item & { base: number; snapshots: Buffer | null }>(
    `select i.id as item, i.game, i.set_id as set,
       (select max(day) from record_days where base and day <= $2) as base,
       (select string_agg(snapshots, '' order by period) from (
         select period, snapshots from card_snapshots where item_id = $1 and period <= $3 order by period desc limit 2
       ) p) as snapshots
     from items i where i.id = $1`,
    [itemId, day, periodOf(day)],
  );
  const { base, snapshots, ...card } = item!;
  const last = [...snapshotDays(snapshots ?? Buffer.alloc(0))].findLast((one) => one.day <= day);
  if (last === undefined) return null;
  // What was in force before the record, or this version of the model, is in the record of its first day.
  const recordedOn = (stated: number) => Math.max(stated, base);
  const gradeKeys = await readGradeKeys(sql);
  const events = last.day < base ? {} : ((await readEvents(sql, last.day, itemId)).get(itemId) ?? {});
  const [markets, calibration, curves] = await Promise.all([
    readMarkets(sql, day),
    readCalibration(sql, day),
    sql.query<{ set: number; day: number; terms: Curve | number[] }>(
      `select distinct on (set_id) set_id as set, day, terms from curves
       where game = $1 and set_id in (0, $2) and day <= $3 order by set_id, day desc`,
      [card.game, card.set, day],
    ),
  ]);
  return [
    { day, line: headerLine(recorded) },
    { day, line: markets.find(({ game }) => game === card.game)! },
    { day, line: calibration },
    ...curves.map((curve) => ({
      day: recordedOn(curve.day),
      line: curveLine(card.game, curve.set, curve.day, curve.terms, gradeKeys),
    })),
    { day: recordedOn(last.day), line: cardLine({ ...card, ...last }, gradeKeys, events) },
  ];
}
