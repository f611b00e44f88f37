import type { AuditedItem } from '../../src/audit/game-book.ts';
import { printingOf } from '../../src/audit/game-book.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import { shuffle } from '../../src/lib/seeded.ts';

/** Faults in a game. `recordedOn`: where the sales of an item are recorded, of those that are on another one. */
export type Plants = {
  recordedOn: Map<string, string>;
  swaps: { ids: [string, string] }[];
  shifts: { setId: number; language: string; by: 1 | -1 }[];
};

/** A set with fewer numbers has no neighbours to speak of. */
const LEAST_NUMBERS = 15;

/** Plants up to so many shifted sets, then swaps in sets that are not shifted, among items that sell. */
export function plantFaults(
  items: readonly AuditedItem[],
  selling: ReadonlySet<string>,
  { swaps, shifts }: { swaps: number; shifts: number },
  uniform: () => number,
): Plants {
  const plants: Plants = { recordedOn: new Map(), swaps: [], shifts: [] };
  const numbered = items.filter(({ number }) => number !== null);
  const sold = numbered.filter(({ itemId }) => selling.has(itemId));
  const units = [...groupBy(numbered, ({ setId, language }) => `${setId} ${language}`).values()].filter(
    (ofSet) =>
      new Set(ofSet.flatMap(({ itemId, number }) => (selling.has(itemId) ? [number] : []))).size >= LEAST_NUMBERS,
  );
  shuffle(units, uniform);
  for (const unit of units.slice(0, shifts)) {
    const by = uniform() < 0.5 ? 1 : -1;
    plants.shifts.push({ setId: unit[0]!.setId, language: unit[0]!.language, by });
    for (const row of groupBy(unit, printingOf).values()) {
      const sorted = row.toSorted((a, b) => (a.numberKey < b.numberKey ? -1 : 1));
      // What is sold of the last number of a shifted list is recorded nowhere.
      for (const [at, { itemId }] of sorted.entries()) plants.recordedOn.set(itemId, sorted[at + by]?.itemId ?? '');
    }
  }
  const shifted = new Set(plants.shifts.map(({ setId }) => setId));
  const cards = [
    ...groupBy(
      sold.filter(({ setId }) => !shifted.has(setId)),
      ({ setId, number, name }) => `${setId} ${number} ${name}`,
    ).values(),
  ].filter((card) => card.length > 1 && card.length <= 12);
  shuffle(cards, uniform);
  for (const card of cards.slice(0, swaps)) {
    shuffle(card, uniform);
    const [one, other] = card as [AuditedItem, AuditedItem];
    plants.recordedOn.set(one.itemId, other.itemId).set(other.itemId, one.itemId);
    plants.swaps.push({ ids: [one.itemId, other.itemId].sort() as [string, string] });
  }
  return plants;
}
