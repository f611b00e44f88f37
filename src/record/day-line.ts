import { formatDay, parseDay } from '../lib/day.ts';
import type { RangeWidths } from '../pricing/model/calibration.ts';
import { type Curve, extendCurve, newCurve } from '../pricing/model/curve/curve.ts';
import type { Snapshot } from '../pricing/model/quote.ts';
import { canonicalJson, type JsonValue } from './canonical-json.ts';

/**
 * The lines of a day's record (docs/methodology/record.md): each a canonical JSON object whose member `k` is its kind. Days are
 * YYYY-MM-DD, hashes hex. Single-precision numbers have nine digits and are rounded to single precision before use.
 */

export type HeaderLine = {
  k: 'day';
  day: string;
  /** Version of the price model. */
  model: string;
  /** SHA-256 of the model's parameters. */
  parameters: string;
  /** Root of the day before; null on the first. */
  previous: string | null;
  /** True where it has the snapshots and curves in force from before: of the record's first day, and of a version's. */
  base: boolean;
};
export type MarketLine = { k: 'market'; game: string; level: number; variance: number };
export type CalibrationLine = { k: 'calibration' } & RangeWidths;
/** Another key signs from here on: `signature`, base64, of the key before over the line without it. */
export type KeyLine = { k: 'key'; from: string; key: string; signature: string };
type ByGrade = { [gradeKey: string]: number };
/** `day`: in force from its close on. A game's own curve has no `set`; what a set adds to it is `delta`. */
export type CurveLine = { k: 'curve'; game: string; set: number | null; day: string; terms: CurveTerms };
export type CurveTerms = { [term: string]: number | ByGrade };
/** The columns have a value for each of `grades`, in the order in which they first sold. */
export type SnapshotLine = {
  k: 'snapshot';
  item: string;
  game: string;
  set: number;
  day: string;
  grades: string[];
  cardLevel?: number;
  cardVariance?: number;
  levelPerDay?: number;
  deviationPerDay?: number;
  level?: (number | null)[];
  covariance?: number[];
  deviationVariance?: number[];
  saleVariance?: number[];
  ownSales?: number[];
  lastDay?: string[];
  before?: { [gradeKey: string]: { level: number; variance: number; ownSales: number; lastDay: string } };
} & DayEvents;
/** What became known of a card on a day: ids of the ledger, rising. Absent members are empty. */
export type DayEvents = {
  /** Taken in. */
  sales?: number[];
  /** The weights of those below .5. */
  weights?: { [saleId: string]: number };
  /** In no price, and why. */
  rejected?: [saleId: number, reason: string][];
  /** Taken out. */
  voided?: number[];
};
export type DayLine = HeaderLine | MarketLine | CalibrationLine | KeyLine | CurveLine | SnapshotLine;

/** The text of a line, without its line feed. */
export function lineText(line: DayLine): string {
  // A close writes one of these for each card that sold: their members are in order already, but for those by grade or id.
  if (line.k === 'snapshot' && line.before === undefined && line.weights === undefined) return JSON.stringify(line);
  return canonicalJson(line as JsonValue);
}

/** A number of single precision as nine digits. */
export function single(value: number): number {
  const places = 8 - Math.floor(Math.log10(Math.abs(value)));
  // Exact up to 1e22: the quotient is then the double nearest to the decimal.
  if (!(places >= 0 && places <= 22)) return Number(value.toPrecision(9));
  const scale = SCALES[places]!;
  return Math.round(value * scale) / scale;
}
const SCALES = Array.from({ length: 23 }, (_, places) => Number(`1e${places}`));

/** The text of a day; those of a close are few. */
function dayText(day: number): string {
  let text = DAY_TEXTS.get(day);
  if (text !== undefined) return text;
  if (DAY_TEXTS.size >= MOST_DAY_TEXTS) DAY_TEXTS.clear();
  text = formatDay(day);
  DAY_TEXTS.set(day, text);
  return text;
}
const DAY_TEXTS = new Map<number, string>();
const MOST_DAY_TEXTS = 20_000;

/** What identifies an item in a line. */
export type LineItem = { item: string; game: string; set: number };

/** The line of a card on a day: its snapshots in the order of their grades, and what became known of it. */
export function snapshotLine(
  { item, game, set }: LineItem,
  day: number,
  grades: readonly (readonly [gradeKey: string, snapshot: Snapshot])[],
  { sales, weights, rejected, voided }: DayEvents,
): SnapshotLine {
  const [first] = grades;
  const gradeKeys = grades.map(([key]) => key);
  const last = {
    ...(sales && { sales }),
    set,
    ...(voided && { voided }),
    ...(weights && { weights }),
  };
  const reasons = rejected && { rejected };
  if (first === undefined)
    return { day: dayText(day), game, grades: gradeKeys, item, k: 'snapshot', ...reasons, ...last };
  const moved = grades.flatMap(([key, { before }]) =>
    before === null
      ? []
      : [[key, { ...before, variance: single(before.variance), lastDay: dayText(before.lastDay) }] as const],
  );
  const { cardLevel, cardVariance, levelPerDay, deviationPerDay } = first[1];
  // In the order of their names: `lineText`.
  return {
    ...(moved.length > 0 && { before: Object.fromEntries(moved) }),
    cardLevel,
    cardVariance: single(cardVariance),
    covariance: grades.map(([, { covariance }]) => single(covariance)),
    day: dayText(day),
    deviationPerDay: single(deviationPerDay),
    deviationVariance: grades.map(([, { deviationVariance }]) => single(deviationVariance)),
    game,
    grades: gradeKeys,
    item,
    k: 'snapshot',
    lastDay: grades.map(([, { lastDay }]) => dayText(lastDay)),
    level: grades.map(([, { level }]) => level),
    levelPerDay: single(levelPerDay),
    ownSales: grades.map(([, { ownSales }]) => ownSales),
    ...reasons,
    saleVariance: grades.map(([, { saleVariance }]) => single(saleVariance!)),
    ...last,
  };
}

/** The snapshot of a grade that a line states; of the grade that sold first where it has none; null where none sold. */
export function snapshotOfLine(line: SnapshotLine, gradeKey: string): { gradeKey: string; snapshot: Snapshot } | null {
  const own = line.grades.indexOf(gradeKey);
  const at = Math.max(own, 0);
  const stated = line.grades[at];
  if (stated === undefined) return null;
  const before = line.before?.[stated];
  const snapshot = {
    day: parseDay(line.day)!,
    cardLevel: line.cardLevel!,
    cardVariance: Math.fround(line.cardVariance!),
    levelPerDay: Math.fround(line.levelPerDay!),
    deviationPerDay: Math.fround(line.deviationPerDay!),
    level: line.level![at]!,
    covariance: Math.fround(line.covariance![at]!),
    deviationVariance: Math.fround(line.deviationVariance![at]!),
    saleVariance: Math.fround(line.saleVariance![at]!),
    ownSales: line.ownSales![at]!,
    lastDay: parseDay(line.lastDay![at]!)!,
    before:
      before === undefined
        ? null
        : { ...before, variance: Math.fround(before.variance), lastDay: parseDay(before.lastDay)! },
  };
  return { gradeKey: stated, snapshot };
}

/** Lists by grade become members named by the grade; those of a grade without a value are left out. */
export function curveTerms(
  terms: { readonly [term: string]: number | readonly (number | null | undefined)[] },
  gradeKeys: readonly string[],
): CurveTerms {
  return Object.fromEntries(
    Object.entries(terms).map(([term, value]) => [term, typeof value === 'number' ? value : byGrade(value, gradeKeys)]),
  );
}

function byGrade(values: readonly (number | null | undefined)[], gradeKeys: readonly string[]): ByGrade {
  return Object.fromEntries(values.flatMap((value, grade) => (value == null ? [] : [[gradeKeys[grade]!, value]])));
}

/** The curve of one grade, which is number 0 of it; the prior where the line is absent or does not have the grade. */
export function curveOfGrade(line: CurveLine | null, gradeKey: string): Curve {
  const terms = Object.entries(line?.terms ?? newCurve()).map(([term, value]) => {
    const ofGrade = typeof value === 'number' ? undefined : (value as ByGrade)[gradeKey];
    return [term, typeof value === 'number' ? value : ofGrade === undefined ? [] : [ofGrade]];
  });
  const curve = Object.fromEntries(terms) as Curve;
  extendCurve(curve, [gradeKey]);
  return curve;
}
