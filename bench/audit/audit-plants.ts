import { type AuditedItem, printingOf } from '../../src/audit/game-book.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { shuffle } from '../../src/lib/seeded.ts';
import { ONE_SOURCE, type SimulatedSale } from './audit-market.ts';

/** Two items that have each other's sales: of all sources or one, at every grade or one. */
export type PlantedSwap = { items: [AuditedItem, AuditedItem]; gradeKey: string; source: string };
/** A set in one language whose numbers are shifted, by all sources or one. */
export type PlantedShift = { setId: number; language: string; source: string; itemIds: string[] };

/** The faults of a game. */
export type Plants = {
  /** Where a sale is recorded; null: nowhere. */
  recordedOn(sale: SimulatedSale): string | null;
  shifts: PlantedShift[];
  /** Of printings of a card: of every grade, and of one. */
  swaps: PlantedSwap[];
  offCurve: PlantedSwap[];
  /** Of different cards of a set, in one source. */
  factors: PlantedSwap[];
};

export const ALL = '*';
const GRADE_OFF = 'psa-9';
/** A set with fewer numbers that sell has no neighbors to speak of. */
const LEAST_NUMBERS = 15;
const MAX_PRINTINGS = 12;
/** Of the cards of a set with several printings, at most this share has a fault: with more, nothing would be usual. */
const FAULTY_SHARE = 0.08;

/** Printings of one card of a set. */
export function cardsOf(items: readonly AuditedItem[]): AuditedItem[][] {
  return [...groupBy(items, ({ setId, number, name }) => `${setId} ${number} ${name}`).values()];
}

/** Few enough to be compared, and more than one. */
export function hasSeveral(card: readonly AuditedItem[]): boolean {
  return card.length > 1 && card.length <= MAX_PRINTINGS;
}

type Wanted = { shifts: number; swaps: number; offCurve: number; factors: number };

/** Plants faults among items that sell: in half of the sets and swaps by one source; no set has a shift and another fault. */
export function plantFaults(
  items: readonly AuditedItem[],
  selling: ReadonlySet<string>,
  wanted: Wanted,
  uniform: () => number,
): Plants {
  const moved = new Map<string, string | null>();
  const move = (from: string, to: string | null, gradeKey: string, source: string) =>
    moved.set(`${from} ${gradeKey} ${source}`, to);
  const numbered = items.filter(({ number }) => number !== null);
  const sold = numbered.filter(({ itemId }) => selling.has(itemId));

  const units = [...groupBy(numbered, ({ setId, language }) => `${setId} ${language}`).values()].filter(
    (unit) =>
      new Set(unit.flatMap(({ itemId, number }) => (selling.has(itemId) ? [number] : []))).size >= LEAST_NUMBERS,
  );
  shuffle(units, uniform);
  const shifts = units.slice(0, wanted.shifts).map((unit, nth): PlantedShift => {
    const by = uniform() < 0.5 ? 1 : -1;
    const source = nth % 2 === 0 ? ALL : ONE_SOURCE;
    for (const row of groupBy(unit, printingOf).values()) {
      const sorted = row.toSorted((a, b) => (a.numberKey < b.numberKey ? -1 : 1));
      for (const [at, { itemId }] of sorted.entries()) move(itemId, sorted[at + by]?.itemId ?? null, ALL, source);
    }
    const { setId, language } = unit[0]!;
    return { setId, language, source, itemIds: unit.map(({ itemId }) => itemId) };
  });

  const shifted = new Set(shifts.map(({ setId }) => setId));
  const unshifted = sold.filter(({ setId }) => !shifted.has(setId));
  const cards = cardsOf(unshifted);
  shuffle(cards, uniform);
  const bySet = groupBy(cards.filter(hasSeveral), ([card]) => card!.setId);
  const several = [...bySet.values()].flatMap((ofSet) => ofSet.slice(0, Math.ceil(FAULTY_SHARE * ofSet.length)));
  shuffle(several, uniform);
  const swap = (pair: readonly AuditedItem[], gradeKey: string, source: string): PlantedSwap => {
    const [one, other] = pair as [AuditedItem, AuditedItem];
    move(one.itemId, other.itemId, gradeKey, source);
    move(other.itemId, one.itemId, gradeKey, source);
    return { items: [one, other], gradeKey, source };
  };
  const printingsOf = (count: number, gradeKey: string, sourceOf: (nth: number) => string) =>
    several.splice(0, count).map((card, nth) => {
      shuffle(card, uniform);
      return swap(card, gradeKey, sourceOf(nth));
    });
  const swaps = printingsOf(wanted.swaps, ALL, (nth) => (nth % 2 === 0 ? ALL : ONE_SOURCE));
  const offCurve = printingsOf(wanted.offCurve, GRADE_OFF, () => ALL);
  const single = cards.filter((card) => card.length === 1).map(([item]) => item!);
  const strangers = [...groupBy(single, ({ setId }) => setId).values()].flatMap((ofSet) =>
    Array.from({ length: ofSet.length >> 1 }, (_, at) => ofSet.slice(2 * at, 2 * at + 2)),
  );
  shuffle(strangers, uniform);
  const factors = strangers.slice(0, wanted.factors).map((pair) => swap(pair, ALL, ONE_SOURCE));

  return {
    recordedOn({ itemId, gradeKey, source }) {
      for (const key of [`${ALL} ${ALL}`, `${ALL} ${source}`, `${gradeKey} ${ALL}`]) {
        const to = moved.get(`${itemId} ${key}`);
        if (to !== undefined) return to;
      }
      return itemId;
    },
    shifts,
    swaps,
    offCurve,
    factors,
  };
}
