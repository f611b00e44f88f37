import type { AuditedItem } from '../../src/audit/game-book.ts';

/** A simulated sale of a printing; `itemId` is the item that it truly is of, and what its title is of. */
export type SimulatedSale = {
  itemId: string;
  gradeKey: string;
  source: string;
  day: number;
  usdCents: number;
  title: string | null;
};

/** Grades with their usual place above the level of a card, and how often a card sells at them. */
export const GRADES: readonly (readonly [gradeKey: string, offset: number, share: number])[] = [
  ['psa-10', 1.2, 0.8],
  ['psa-9', 0.4, 0.7],
  ['raw-A', -0.5, 0.7],
  ['psa-8', 0, 0.3],
];
export const ONE_SOURCE = 'market-a';
export const SOURCES: readonly (readonly [source: string, factor: number, share: number])[] = [
  [ONE_SOURCE, 1, 0.6],
  ['market-b', 0.95, 0.4],
];
export const LEAST_CENTS = 50;
export const LAST_DAY = 20_600;
const DAYS = 180;

/** Standard deviations of logs: what a price is made of, as far as the audit may know it. */
export const SPREAD = {
  set: 0.5,
  rarity: 0.9,
  name: 0.7,
  card: 0.4,
  kind: 0.8,
  kindOfSet: 0.25,
  kindOfCard: 0.3,
  gradeOfCard: 0.12,
  sale: 0.18,
};

/** The title of a sale of an item at a grade; null for a sale without one. */
export type TitleOf = (item: AuditedItem, gradeKey: string, uniform: () => number) => string | null;

/** Prices of a game: each effect is drawn once, by its name. */
export function simulatedMarket(uniform: () => number, titleOf: TitleOf) {
  const effects = new Map<string, number>();
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  const effect = (deviation: number, ...name: readonly unknown[]) => {
    const key = name.join('|');
    const known = effects.get(key) ?? normal();
    effects.set(key, known);
    return deviation * known;
  };
  const kindInSet = ({ setId, language, variation }: AuditedItem) =>
    [`language ${language}`, `variation ${variation}`].reduce(
      (sum, kind) => sum + effect(SPREAD.kind, kind) + effect(SPREAD.kindOfSet, kind, setId),
      0,
    );
  /** What is usual of a printing next to the others of its card: of its kind in its set, and its rarity. */
  const kindLevelOf = (item: AuditedItem) => kindInSet(item) + effect(SPREAD.rarity, 'rarity', item.rarity);
  /** The log of US cents of a printing, where the offset of a grade is 0. */
  const levelOf = (item: AuditedItem) => {
    const { setId, number, name, language, variation, rarity } = item;
    return (
      Math.log(2000) +
      effect(SPREAD.set, 'set', setId) +
      effect(SPREAD.rarity, 'rarity', rarity) +
      effect(SPREAD.name, 'name', name) +
      effect(SPREAD.card, 'card', setId, number, name) +
      kindInSet(item) +
      effect(SPREAD.kindOfCard, 'own', setId, number, name, language, variation)
    );
  };
  /** The sales of a printing over half a year. */
  function* salesOf(item: AuditedItem): Generator<SimulatedSale> {
    const level = levelOf(item);
    for (const [gradeKey, offset, share] of GRADES) {
      if (uniform() > share) continue;
      const count = 1 + Math.floor(-4 * Math.log(1 - uniform()));
      const price = level + offset + SPREAD.gradeOfCard * normal();
      for (let i = 0; i < count; i++) {
        const [source, factor] = SOURCES[uniform() < SOURCES[0]![2] ? 0 : 1]!;
        const usdCents = Math.max(LEAST_CENTS, Math.round(factor * Math.exp(price + SPREAD.sale * normal())));
        const day = LAST_DAY - Math.floor(uniform() * DAYS);
        yield { itemId: item.itemId, gradeKey, source, day, usdCents, title: titleOf(item, gradeKey, uniform) };
      }
    }
  }
  return { kindLevelOf, salesOf };
}
