import type { Session } from '../../db/client.ts';
import { copyRows } from '../../db/copy/copy.ts';
import { type BinaryRows, copyBinary, newBinaryRows } from '../../db/copy/copy-binary.ts';
import { SCORE_TABLE } from '../accuracy/scores.ts';
import { widthsOf } from '../model/calibration.ts';
import type { CardState } from '../model/card.ts';
import type { PriceModel } from '../model/model.ts';
import { MODEL_VERSION } from '../model/params.ts';
import { type RecordRow, storeRecord } from '../record/close-record.ts';
import { encodeCard } from './card-bytes.ts';
import { storeModel } from './model-state.ts';
import { newSnapshotRows, type SnapshotRows, snapshotRowsOf, storeSnapshots } from './snapshot-rows.ts';

/** The tables that `reprice` writes. */
export const PRICE_TABLES = [
  'model_state',
  'market_days',
  'calibration_days',
  'curves',
  'set_levels',
  'card_states',
  'card_snapshots',
  'sale_uses',
  'sale_scores',
] as const;

/** Rows of closed days, gathered between two checkpoints. */
export type Outbox = {
  snapshots: SnapshotRows;
  /** Cards without a sale left, after voids. */
  emptied: Set<string>;
  marketDays: [game: string, day: number, level: number, variance: number][];
  calibrationDays: [day: number, quantiles80: string, factors: string][];
  curves: [game: string, setId: number, day: number, terms: string][];
  uses: [saleId: number, weight: number | null, closedDay: number | null][];
  /** `closedDay`: also of a sale that was never taken in, which it is then known by. */
  voids: [saleId: number, day: number, closedDay: number | null][];
  record: RecordRow[];
  scores: BinaryRows;
  closedDays: number[];
};

export function newOutbox(): Outbox {
  return {
    snapshots: newSnapshotRows(),
    emptied: new Set(),
    marketDays: [],
    calibrationDays: [],
    curves: [],
    uses: [],
    voids: [],
    record: [],
    scores: newBinaryRows(),
    closedDays: [],
  };
}

/** Notes the markets and ranges that the close of a day published. */
export function noteClose(outbox: Outbox, model: PriceModel, day: number): void {
  outbox.closedDays.push(day);
  for (const { name, market } of model.games.values()) {
    if (market.firstDay >= 0) outbox.marketDays.push([name, day, market.level, market.p00]);
  }
  const { quantiles80, factors } = widthsOf(model.calibration);
  outbox.calibrationDays.push([day, `{${quantiles80.join(',')}}`, `{${factors!.join(',')}}`]);
}

/** Notes the curves that a refit left: a game's own, and the deltas of each of its sets. */
export function noteCurves(outbox: Outbox, model: PriceModel, day: number): void {
  for (const { name, market, curve } of model.games.values()) {
    if (market.firstDay >= 0) outbox.curves.push([name, 0, day, JSON.stringify(curve)]);
  }
  for (const { game, key, deltas } of model.sets.values()) {
    if (deltas.length > 0) outbox.curves.push([game, Number(key), day, JSON.stringify(deltas)]);
  }
}

/**
 * Writes down all of it with the state that belongs to it, and returns what stores that in one transaction, which announces each
 * closed day on the channel `prices`: the model and the cards may go on meanwhile. A run that is killed resumes from its last
 * checkpoint and ends with the same rows.
 */
export function checkpoint(
  model: PriceModel,
  cards: ReadonlyMap<string, CardState>,
  outbox: Outbox,
  seen: { saleId: number; sources: readonly string[]; previousDay: number | null; nowMs: number },
): (session: Session) => Promise<void> {
  const states = cardRows(cards, outbox);
  const snapshots = snapshotRowsOf(outbox.snapshots, seen.previousDay);
  const levels = setLevels(cards, outbox);
  const state = JSON.stringify(storeModel(model, seen.sources));
  const closedDay = model.day;
  return async (session) => {
    await session.query('begin');
    await storeCards(session, states, outbox);
    await storeSnapshots(session, snapshots);
    await copyRows(session, 'market_days (game, day, level, variance)', outbox.marketDays);
    await copyRows(session, 'calibration_days (day, quantiles80, factors)', outbox.calibrationDays);
    await copyRows(session, 'curves (game, set_id, day, terms)', outbox.curves);
    await copyRows(session, 'sale_uses (sale_id, weight, closed_day)', outbox.uses);
    await copyBinary(session, SCORE_TABLE, outbox.scores);
    await storeVoids(session, outbox);
    await storeSetLevels(session, levels);
    await storeRecord(session, outbox.record, seen.nowMs);
    await session.query(
      `insert into model_state (version, closed_day, seen_sale_id, state, closed_at) values ($1, $2, $3, $4, $5)
       on conflict (one_row) do update set version = excluded.version, closed_day = excluded.closed_day,
         seen_sale_id = excluded.seen_sale_id, state = excluded.state, closed_at = excluded.closed_at`,
      [MODEL_VERSION, closedDay, seen.saleId, state, new Date(seen.nowMs).toISOString()],
    );
    await session.query(`select pg_notify('prices', day::text) from unnest($1::int[]) as day`, [outbox.closedDays]);
    await session.query('commit');
  };
}

function cardRows(cards: ReadonlyMap<string, CardState>, outbox: Outbox): BinaryRows {
  const states = newBinaryRows();
  for (const id of outbox.snapshots.places.keys()) {
    const card = cards.get(id);
    if (card === undefined) continue;
    const state = encodeCard(card);
    states.row(2, state.length);
    states.uuid(id);
    states.bytea([state]);
  }
  return states;
}

async function storeCards(session: Session, states: BinaryRows, { emptied }: Outbox): Promise<void> {
  await session.query('create temp table new_states (item_id uuid, state bytea) on commit drop');
  await copyBinary(session, 'new_states (item_id, state)', states);
  await session.query(
    `insert into card_states (item_id, state) select item_id, state from new_states
     on conflict (item_id) do update set state = excluded.state`,
  );
  if (emptied.size > 0) await session.query('delete from card_states where item_id = any($1)', [[...emptied]]);
}

async function storeVoids(session: Session, outbox: Outbox): Promise<void> {
  await session.query(
    `insert into sale_uses (sale_id, voided_day, closed_day) select * from unnest($1::bigint[], $2::int[], $3::int[])
     on conflict (sale_id) do update
       set voided_day = excluded.voided_day, closed_day = coalesce(sale_uses.closed_day, excluded.closed_day)`,
    [0, 1, 2].map((column) => outbox.voids.map((one) => one[column])),
  );
}

/** Of the sets of the cards that were noted, as JSON. */
function setLevels(cards: ReadonlyMap<string, CardState>, outbox: Outbox): string {
  const sets = new Set([...outbox.snapshots.places.keys()].flatMap((id) => cards.get(id)?.set ?? []));
  return JSON.stringify(
    [...sets].map(({ key, cards: count, levelSum }) => ({ set_id: Number(key), cards: count, levelSum })),
  );
}

async function storeSetLevels(session: Session, levels: string): Promise<void> {
  await session.query(
    `insert into set_levels (set_id, cards, level_sum)
     select * from json_to_recordset($1) as row (set_id int, cards int, "levelSum" float8)
     on conflict (set_id) do update set cards = excluded.cards, level_sum = excluded.level_sum`,
    [levels],
  );
}
