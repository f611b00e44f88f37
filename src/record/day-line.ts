import { byteReader } from '../lib/bytes.ts';
import { parseDay } from '../lib/day.ts';
import type { RangeWidths } from '../pricing/model/calibration.ts';
import { type Curve, extendCurve, newCurve } from '../pricing/model/curve/curve.ts';
import type { Snapshot } from '../pricing/model/quote.ts';
import { canonicalJson, type JsonValue } from './canonical-json.ts';
import { readState } from './snapshot-state.ts';

/**
 * The lines of a day's record (docs/methodology/record.md): each a canonical JSON object whose member `k` is its kind. Days are
 * YYYY-MM-DD, hashes hex.
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
/** `grades` in the order in which they first sold; `state`: base64 of their snapshots (snapshot-state.ts), absent without any. */
export type SnapshotLine = {
  k: 'snapshot';
  item: string;
  game: string;
  set: number;
  day: string;
  grades: string[];
  state?: string;
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
  return line.k === 'snapshot' ? snapshotText(line, line) : canonicalJson(line as JsonValue);
}

/**
 * The text of the line of a card with what became known of it: `canonicalJson` of `snapshotLine`, of which a close writes one for
 * each card that sold, without an object for it and a search for its members.
 */
export function snapshotText(
  { day, game, grades, item, set, state }: Omit<CardOfLine, 'state'> & { state?: string },
  { rejected, sales, voided, weights }: DayEvents,
): string {
  let text = `{"day":"${day}","game":${quoted(game)},"grades":[`;
  for (let i = 0; i < grades.length; i++) text += i === 0 ? quoted(grades[i]!) : `,${quoted(grades[i]!)}`;
  text += `],"item":"${item}","k":"snapshot"`;
  if (rejected !== undefined) text += `,"rejected":${canonicalJson(rejected)}`;
  if (sales !== undefined) text += `,"sales":[${sales.join(',')}]`;
  text += `,"set":${set}`;
  if (state !== undefined && grades.length > 0) text += `,"state":"${state}"`;
  if (voided !== undefined) text += `,"voided":[${voided.join(',')}]`;
  if (weights !== undefined) text += `,"weights":${canonicalJson(weights)}`;
  return `${text}}`;
}

const quotations = new Map<string, string>();

/** A text as JSON; for few different ones. */
function quoted(text: string): string {
  let quotation = quotations.get(text);
  if (quotation === undefined) {
    quotation = canonicalJson(text);
    quotations.set(text, quotation);
  }
  return quotation;
}

/** A card after a day: what identifies it, the names of its grades, the base64 of its state. */
export type CardOfLine = { item: string; game: string; set: number; day: string; grades: string[]; state: string };

/** The line of a card on a day, with what became known of it. */
export function snapshotLine({ item, game, set, day, grades, state }: CardOfLine, events: DayEvents): SnapshotLine {
  return { k: 'snapshot', item, game, set, day, grades, ...(grades.length > 0 && { state }), ...events };
}

/** The snapshot of a grade that a line states; of the grade that sold first where it has none; null where none sold. */
export function snapshotOfLine(line: SnapshotLine, gradeKey: string): { gradeKey: string; snapshot: Snapshot } | null {
  const at = Math.max(line.grades.indexOf(gradeKey), 0);
  const stated = line.grades[at];
  if (stated === undefined) return null;
  const state = byteReader(Buffer.from(line.state!, 'base64'));
  const [, snapshot] = readState(state, parseDay(line.day)!, line.grades.length)[at]!;
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
