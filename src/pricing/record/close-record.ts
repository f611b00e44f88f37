import type { Session, Sql } from '../../db/client.ts';
import { copyBinary, newBinaryRows } from '../../db/copy/copy-binary.ts';
import { groupBy } from '../../lib/group-by.ts';
import {
  type CardOfLine,
  type DayEvents,
  type DayLine,
  type KeyLine,
  lineText,
  snapshotText,
} from '../../record/day-line.ts';
import { PARAMETERS_HASH, PARAMETERS_TEXT } from '../../record/model-parameters.ts';
import { widthsOf } from '../model/calibration.ts';
import type { PriceModel } from '../model/model.ts';
import { MODEL_VERSION } from '../model/params.ts';
import { addLine, closeDayFile, type DayFile, openDayFile } from './day-file.ts';
import {
  cardLine,
  curveLine,
  headerLine,
  keyLines,
  type RecordedDay,
  readCurves,
  snapshotsInForce,
} from './read-lines.ts';

/** The tables of the record that a close writes. */
export const RECORD_TABLES = ['record_parameters', 'record_days'] as const;

/** The record while days are closed. */
export type OpenRecord = {
  /** Root of the last day; null before the first. */
  previous: Buffer | null;
  /** The next day begins the record, or these prices in it: of another version of the model, or from the first sale again. */
  isBase: boolean;
  /** Changes of the signing key that no close has taken up, by the day of their line. */
  keys: Map<number, KeyLine[]>;
};

/** A day's row of `record_days`, less the moment of its close. */
export type RecordRow = Pick<RecordedDay, 'day' | 'version' | 'base'> & DayFile;

/** A card that a close touched, with its state and what became known of it. */
export type TouchedCard = { card: CardOfLine; events: DayEvents };

export async function openRecord(session: Session, firstDay: number): Promise<OpenRecord> {
  const [last] = await session.query<{ root: Buffer; continues: boolean }>(
    `select root, version = $1 and not exists (select from price_versions where until_day >= day) as continues
     from record_days order by day desc limit 1`,
    [MODEL_VERSION],
  );
  const keys = groupBy(await keyLines(session, firstDay, 2 ** 31 - 1), ({ day }) => day);
  return {
    previous: last?.root ?? null,
    isBase: last?.continues !== true,
    keys: new Map([...keys].map(([day, ofDay]) => [day, ofDay.map(({ line }) => line)])),
  };
}

/**
 * The record of the day that the model has just closed, from what is in memory: the same lines as `dayLines`. `touched` is in order
 * of item.
 */
export async function recordDay(
  sql: Sql,
  open: OpenRecord,
  model: PriceModel,
  touched: readonly TouchedCard[],
  refitted: boolean,
): Promise<RecordRow> {
  const day = model.day!;
  const { isBase: base, previous } = open;
  const header = { day, version: MODEL_VERSION, parameters: Buffer.from(PARAMETERS_HASH, 'hex'), base, previous };
  const file = openDayFile();
  const add = (line: DayLine) => addLine(file, lineText(line));
  add(headerLine(header));
  const games = [...model.games.values()].filter(({ market }) => market.firstDay >= 0).sort(byText(({ name }) => name));
  for (const { name, market } of games) add({ k: 'market', game: name, level: market.level, variance: market.p00 });
  add({ k: 'calibration', ...widthsOf(model.calibration) });
  for (const line of open.keys.get(day) ?? []) add(line);
  const inForce = base && !refitted ? await readCurves(sql, model.gradeKeys, day, true) : [];
  for (const line of refitted ? curvesOf(model, day) : inForce) add(line);
  if (base) {
    for await (const text of textsInForce(sql, model, touched)) addLine(file, text);
  } else {
    for (const { card, events } of touched) addLine(file, snapshotText(card, events));
  }
  const made = closeDayFile(file);
  open.previous = made.root;
  open.isBase = false;
  return { day, version: MODEL_VERSION, base, ...made };
}

/** A refit leaves a curve of every game, and of every set that ever had one. */
function curvesOf(model: PriceModel, day: number) {
  const ofGames = [...model.games.values()]
    .filter(({ market }) => market.firstDay >= 0)
    .map(({ name, curve }) => ({ game: name, set: 0, terms: curve }));
  const ofSets = [...model.sets.values()]
    .filter(({ deltas }) => deltas.length > 0)
    .map(({ game, key, deltas }) => ({ game, set: Number(key), terms: deltas }));
  return [...ofGames, ...ofSets]
    .sort((a, b) => (a.game === b.game ? a.set - b.set : a.game < b.game ? -1 : 1))
    .map(({ game, set, terms }) => curveLine(game, set, day, terms, model.gradeKeys));
}

/** Those of every card in force, the ones that the close touched (in order of item) in their place. */
async function* textsInForce(
  sql: Sql,
  { day, gradeKeys }: PriceModel,
  own: readonly TouchedCard[],
): AsyncGenerator<string> {
  let next = 0;
  const ownText = () => {
    const { card, events } = own[next++]!;
    return snapshotText(card, events);
  };
  for await (const card of snapshotsInForce(sql, day!)) {
    while (next < own.length && own[next]!.card.item < card.item) yield ownText();
    yield own[next]?.card.item === card.item ? ownText() : lineText(cardLine(card, gradeKeys, {}));
  }
  while (next < own.length) yield ownText();
}

function byText<T>(textOf: (one: T) => string): (a: T, b: T) => number {
  return (a, b) => (textOf(a) < textOf(b) ? -1 : 1);
}

/** Stores the rows of closed days, in the transaction of their checkpoint. */
export async function storeRecord(session: Session, rows: readonly RecordRow[], nowMs: number): Promise<void> {
  const hash = Buffer.from(PARAMETERS_HASH, 'hex');
  await session.query('insert into record_parameters (hash, parameters) values ($1, $2) on conflict do nothing', [
    hash,
    PARAMETERS_TEXT,
  ]);
  const table = newBinaryRows();
  for (const { day, version, base, root, lines, bytes, digest, leaves } of rows) {
    table.row(10, leaves.length);
    table.i32(day);
    table.ascii(version);
    table.bool(base);
    table.bytea([hash]);
    table.bytea([root]);
    table.i32(lines);
    table.i64(bytes);
    table.bytea([digest]);
    table.bytea([leaves]);
    table.time(nowMs);
  }
  await copyBinary(
    session,
    'record_days (day, version, base, parameters, root, lines, bytes, digest, leaves, closed_at)',
    table,
  );
}
