import { dayOf, formatDay, MS_PER_DAY } from '../../lib/day.ts';

/** A card as a record names it; `key` is equal for all printings of one card. */
type CardOfSlab = { key: string; name: string };

/** A recorded sale of a slab: neither voided nor a copy of another row. */
export type SlabSale = {
  /** Midnight UTC where the source states the day only. */
  soldAtMs: number;
  source: string;
  sourceName: string;
  /** Ids of the sources whose sales this one repeats. */
  aggregates: readonly string[];
  /** A token was sold: the slab stays in its vault, and can be sold again at once. */
  isToken: boolean;
  /** Null of one that the catalog has no more: what took its place is the same card. */
  card: CardOfSlab | null;
  /** Null outside the priced scale. */
  gradeKey: string | null;
  gradeLabel: string;
};

/** What the grader, or who registered the slab, says of it. */
export type SlabRecord = {
  card: CardOfSlab | null;
  gradeKey: string | null;
  gradeLabel: string | null;
  /** When it was recorded as deactivated, which is after it was; null: it is not. */
  voidedAtMs: number | null;
  /** What it said before a correction. */
  earlier: readonly { untilMs: number; card: CardOfSlab | null; gradeKey: string | null }[];
};

export const CONTRADICTIONS = ['two_cards', 'two_grades', 'two_places', 'sold_too_often', 'sold_after_void'] as const;

/** `atMs`: of the later record. */
export type Contradiction = { kind: (typeof CONTRADICTIONS)[number]; text: string; atMs: number };

/**
 * A slab that is sold has to travel before it can be sold elsewhere, or again and again. Measured by
 * `bench/certs/certs-clones.ts`: longer times accuse quick resales and cards that were sent back, shorter ones miss copies.
 */
export const TWO_PLACES_MS = 2 * MS_PER_DAY;
const OFTEN_MS = 7 * MS_PER_DAY;
const OFTEN = 3;

/**
 * What records of one cert cannot say at once, the oldest first. It does not say which of them is wrong: a copied number, a
 * sale put on the wrong card, a sale that was canceled elsewhere.
 */
export function contradictionsOf(
  sales: readonly SlabSale[],
  record: SlabRecord | null,
  twoPlacesMs = TWO_PLACES_MS,
): Contradiction[] {
  const inOrder = sales.toSorted((a, b) => a.soldAtMs - b.soldAtMs);
  return [
    ...differing('two_cards', cardsIn(inOrder, record)),
    ...differing('two_grades', gradesIn(inOrder, record)),
    ...twoPlaces(inOrder, twoPlacesMs),
    ...soldTooOften(inOrder),
    ...soldAfterVoid(inOrder, record),
  ].toSorted((a, b) => a.atMs - b.atMs);
}

/** What a record says; null where it says nothing. */
type Statement = { value: string | null; words: string; where: string; atMs: number };

function cardsIn(sales: readonly SlabSale[], record: SlabRecord | null): Statement[] {
  const ofRecord = record?.card ? [recordSays(record.card.key, record.card.name)] : [];
  const isCorrected = correctedIn(record, ({ card }) => card?.key ?? null);
  const ofSales = sales.map((sale) => saleSays(sale, sale.card?.key ?? null, sale.card?.name ?? ''));
  return [...ofRecord, ...ofSales.filter(({ value, atMs }) => !isCorrected(value, atMs))];
}

function gradesIn(sales: readonly SlabSale[], record: SlabRecord | null): Statement[] {
  const ofRecord = record?.gradeKey ? [recordSays(record.gradeKey, record.gradeLabel!)] : [];
  const isCorrected = correctedIn(record, ({ gradeKey }) => gradeKey);
  const ofSales = sales.map((sale) => saleSays(sale, sale.gradeKey, sale.gradeLabel));
  return [...ofRecord, ...ofSales.filter(({ value, atMs }) => !isCorrected(value, atMs))];
}

function saleSays(sale: SlabSale, value: string | null, words: string): Statement {
  return { value, words, where: `a sale ${placeOf(sale)}`, atMs: sale.soldAtMs };
}

function recordSays(value: string, words: string): Statement {
  return { value, words, where: 'the record of the cert', atMs: Number.NEGATIVE_INFINITY };
}

type Earlier = SlabRecord['earlier'][number];

/** True for what the record said at that time and was corrected since. */
function correctedIn(record: SlabRecord | null, earlierValue: (earlier: Earlier) => string | null) {
  return (value: string | null, atMs: number) =>
    record?.earlier.some((one) => earlierValue(one) === value && atMs < one.untilMs) ?? false;
}

/** Every other value than that of the first statement, once. */
function differing(kind: 'two_cards' | 'two_grades', statements: readonly Statement[]): Contradiction[] {
  const said = statements.filter(({ value }) => value !== null);
  const [first] = said;
  const seen = new Set([first?.value]);
  return said.flatMap(({ value, words, where, atMs }) => {
    if (seen.has(value)) return [];
    seen.add(value);
    return [{ kind, text: `${CONTRADICT} ${first!.where} says ${first!.words}, ${where} ${words}.`, atMs }];
  });
}

function twoPlaces(sales: readonly SlabSale[], withinMs: number): Contradiction[] {
  return sales.flatMap((later, at): Contradiction[] => {
    const earlier = sales
      .slice(0, at)
      .findLast((one) => one.source !== later.source && !isRepeat(one, later) && mostApartMs(one, later) <= withinMs);
    if (earlier === undefined) return [];
    const text = `${CONTRADICT} it was sold ${placeOf(earlier)} and ${placeOf(later)}, ${apart(earlier, later)}.`;
    return [{ kind: 'two_places', text, atMs: later.soldAtMs }];
  });
}

/** Several sales within a week, at whatever venues: the first such week. */
function soldTooOften(sales: readonly SlabSale[]): Contradiction[] {
  const own = sales.filter(({ aggregates, isToken }) => aggregates.length === 0 && !isToken);
  const at = own.findIndex((one, first) => {
    const last = own[first + OFTEN - 1];
    return last !== undefined && mostApartMs(one, last) <= OFTEN_MS;
  });
  if (at === -1) return [];
  const some = own.slice(at, at + OFTEN);
  const atMs = some.at(-1)!.soldAtMs;
  return [{ kind: 'sold_too_often', text: `${CONTRADICT} it was sold ${some.map(placeOf).join(', ')}.`, atMs }];
}

function soldAfterVoid(sales: readonly SlabSale[], record: SlabRecord | null): Contradiction[] {
  const voidedAtMs = record?.voidedAtMs ?? Number.POSITIVE_INFINITY;
  return sales
    .filter(({ soldAtMs }) => soldAtMs > voidedAtMs)
    .map((sale) => ({
      kind: 'sold_after_void',
      text: `${CONTRADICT} the cert is recorded as deactivated since ${formatDay(dayOf(voidedAtMs))}, and it was sold ${placeOf(sale)}.`,
      atMs: sale.soldAtMs,
    }));
}

const CONTRADICT = 'These records contradict each other:';

/** `on eBay on 2026-05-03` */
function placeOf({ sourceName, soldAtMs }: SlabSale): string {
  return `on ${sourceName} on ${formatDay(dayOf(soldAtMs))}`;
}

function isRepeat(a: SlabSale, b: SlabSale): boolean {
  return a.aggregates.includes(b.source) || b.aggregates.includes(a.source);
}

const isDayOnly = ({ soldAtMs }: SlabSale) => soldAtMs % MS_PER_DAY === 0;

/** The longest time that may be between two sales, `b` not before `a`: a sale of a day may be at any time of it. */
function mostApartMs(a: SlabSale, b: SlabSale): number {
  return b.soldAtMs + (isDayOnly(b) ? MS_PER_DAY : 0) - a.soldAtMs;
}

const HOUR_MS = 3_600_000;

function apart(a: SlabSale, b: SlabSale): string {
  const days = dayOf(b.soldAtMs) - dayOf(a.soldAtMs);
  if (isDayOnly(a) || isDayOnly(b))
    return days === 0 ? 'the same day' : `${days === 1 ? 'one day' : `${days} days`} apart`;
  const hours = Math.round((b.soldAtMs - a.soldAtMs) / HOUR_MS);
  return hours === 0 ? 'within an hour' : `${hours} ${hours === 1 ? 'hour' : 'hours'} apart`;
}
