import type { Sql } from '../../db/client.ts';
import { onCluster } from '../../db/distribute/dialect.ts';
import { formatDay } from '../../lib/day.ts';
import { LEAST_UUID } from '../../lib/uuid.ts';
import {
  type CalibrationLine,
  type CurveLine,
  curveTerms,
  type DayEvents,
  type DayLine,
  type HeaderLine,
  type KeyLine,
  type MarketLine,
  type SnapshotLine,
  snapshotLine,
} from '../../record/day-line.ts';
import { formatKey } from '../../record/signed-note.ts';
import type { RangeWidths } from '../model/calibration.ts';
import type { Curve } from '../model/curve/curve.ts';
import { type DaySnapshots, periodOf, snapshotDays } from '../store/snapshot-bytes.ts';
import { readEvents } from './ledger-events.ts';

/** A day as its header states it. */
export type RecordedDay = {
  day: number;
  version: string;
  /** SHA-256 of the parameters. */
  parameters: Buffer;
  base: boolean;
  /** Root of the day before; null on the first. */
  previous: Buffer | null;
};

export function headerLine({ day, version, parameters, base, previous }: RecordedDay): HeaderLine {
  return {
    k: 'day',
    day: formatDay(day),
    model: version,
    parameters: parameters.toString('hex'),
    previous: previous?.toString('hex') ?? null,
    base,
  };
}

/** The lines of a day, in order, from the tables of the version that closed it. */
export async function* dayLines(sql: Sql, recorded: RecordedDay): AsyncGenerator<DayLine> {
  const { day, base } = recorded;
  yield headerLine(recorded);
  yield* await readMarkets(sql, day);
  yield await readCalibration(sql, day);
  for (const { line } of await keyLines(sql, day, day)) yield line;
  const gradeKeys = await readGradeKeys(sql);
  yield* await readCurves(sql, gradeKeys, day, base);
  const events = await readEvents(sql, day);
  const cards = base ? snapshotsInForce(sql, day) : snapshotsOfDay(sql, day, [...events.keys()]);
  for await (const card of cards) {
    yield cardLine(card, gradeKeys, (card.day === day && events.get(card.item)) || {});
  }
}

/** The line of a card as its rows have it. */
export function cardLine(card: CardOfDay, gradeKeys: readonly string[], events: DayEvents): SnapshotLine {
  const { item, game, set } = card;
  const state = card.state.toString('base64');
  const grades = card.grades.map(([grade]) => gradeKeys[grade]!);
  return snapshotLine({ item, game, set, day: formatDay(card.day), grades, state }, events);
}

export async function readMarkets(sql: Sql, day: number): Promise<MarketLine[]> {
  const markets = await sql.query<Omit<MarketLine, 'k'>>(
    'select game, level, variance from market_days where day = $1 order by game collate "C"',
    [day],
  );
  return markets.map((market) => ({ k: 'market', ...market }));
}

export async function readCalibration(sql: Sql, day: number): Promise<CalibrationLine> {
  const [widths] = await sql.query<RangeWidths>('select quantiles80, factors from calibration_days where day = $1', [
    day,
  ]);
  return { k: 'calibration', ...widths! };
}

/** The changes of the signing key in the records from `fromDay` to `toDay`. */
export async function keyLines(sql: Sql, fromDay: number, toDay: number): Promise<{ day: number; line: KeyLine }[]> {
  const rows = await sql.query<{ day: number; name: string; from: Buffer; key: Buffer; signature: Buffer }>(
    `select k.day, k.name, b.public_key as from, k.public_key as key, k.signature
     from record_keys k join record_keys b on b.number = k.number - 1
     where k.day between $1 and $2 order by k.number`,
    [fromDay, toDay],
  );
  return rows.map(({ day, name, from, key, signature }) => ({
    day,
    line: {
      k: 'key',
      from: formatKey({ name, publicKey: from }),
      key: formatKey({ name, publicKey: key }),
      signature: signature.toString('base64'),
    },
  }));
}

/** The names of the grades by their numbers in the stored rows. */
export async function readGradeKeys(sql: Sql): Promise<string[]> {
  const [row] = await sql.query<{ keys: string[] }>(`select state -> 'gradeKeys' as keys from model_state`);
  return row?.keys ?? [];
}

/** The curves of a day: `inForce` with those from before that no later one replaces. A game's own come before its sets'. */
export async function readCurves(
  sql: Sql,
  gradeKeys: readonly string[],
  day: number,
  inForce: boolean,
): Promise<CurveLine[]> {
  const rows = await sql.query<{ game: string; set: number; day: number; terms: Curve | (number | null)[] }>(
    `select distinct on (game collate "C", set_id) game, set_id as set, day, terms from curves
     where day ${inForce ? '<=' : '='} $1 order by game collate "C", set_id, day desc`,
    [day],
  );
  return rows.map(({ game, set, day, terms }) => curveLine(game, set, day, terms, gradeKeys));
}

/** `set` 0: the game's own curve. */
export function curveLine(
  game: string,
  set: number,
  day: number,
  terms: Curve | readonly (number | null | undefined)[],
  gradeKeys: readonly string[],
): CurveLine {
  const named = Array.isArray(terms) ? { delta: terms } : (terms as Curve);
  return { k: 'curve', game, set: set === 0 ? null : set, day: formatDay(day), terms: curveTerms(named, gradeKeys) };
}

/** A card in a day's record. */
export type CardOfDay = DaySnapshots & { item: string; game: string; set: number };

const PAGE = 1000;
type Row = { item: string; game: string; set: number; snapshots: Buffer };

/** Of these items, those that have a snapshot of the day, in order of id. */
async function* snapshotsOfDay(sql: Sql, day: number, itemIds: string[]): AsyncGenerator<CardOfDay> {
  itemIds.sort();
  for (let i = 0; i < itemIds.length; i += PAGE) {
    const rows = await sql.query<Row>(
      `select i.id as item, i.game, i.set_id as set, c.snapshots from card_snapshots c join items i on i.id = c.item_id
       where c.item_id = any($1) and c.period = $2 order by i.id`,
      [itemIds.slice(i, i + PAGE), periodOf(day)],
    );
    for (const { snapshots, ...card } of rows)
      for (const ofDay of snapshotDays(snapshots)) if (ofDay.day === day) yield { ...card, ...ofDay };
  }
}

const CARDS = `select distinct item_id from card_snapshots where item_id > $1 and period <= $2 order by item_id limit ${PAGE}`;

/** The last snapshots of every card that are not after a day, in order of id. */
export async function* snapshotsInForce(sql: Sql, day: number): AsyncGenerator<CardOfDay> {
  for (let after = LEAST_UUID; ; ) {
    const rows = await sql.query<Row>(
      `select i.id as item, i.game, i.set_id as set, last.snapshots
       from ${onCluster(
         `(${CARDS}) page join items i on i.id = page.item_id cross join lateral (
           select string_agg(snapshots, '' order by period) as snapshots from (
             select period, snapshots from card_snapshots where item_id = page.item_id and period <= $2
             order by period desc limit 2
           ) p
         ) last`,
         `items i join (
           select item_id, string_agg(snapshots, '' order by period) as snapshots from (
             select *, rank() over (partition by item_id order by period desc) as place from card_snapshots
             where item_id in (${CARDS}) and period <= $2
           ) p where place <= 2 group by item_id
         ) last on last.item_id = i.id`,
       )} order by i.id`,
      [after, periodOf(day)],
    );
    for (const { snapshots, ...card } of rows) {
      let last: DaySnapshots | null = null;
      for (const ofDay of snapshotDays(snapshots)) if (ofDay.day <= day) last = ofDay;
      if (last !== null) yield { ...card, ...last };
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.item;
  }
}
