import { groupBy } from '../../lib/group-by.ts';
import { median } from '../../lib/stats.ts';
import { type AuditedItem, cardKey, type GameBook, type LogEstimate, levelIn, printingOf } from '../game-book.ts';
import { type Sample, usualOf } from '../likelihood.ts';

/** What levels are about those of their set, of cards that nothing is known of. */
const FIRST_VARIANCE = 1;
/** So many cards of a name, and so many other languages of a card, outweigh that nothing is expected of it. */
const [NAME_COUNT, LANGUAGE_COUNT] = [2, 0.5];

type Levelled = Sample & { item: AuditedItem };

/** Levels about that of their set, and what is expected of them by everything but the sales of the set in their language. */
export type ExpectedLevels = {
  /** Null for an item without a sale. */
  levelOf(item: AuditedItem): LogEstimate | null;
  /** Without the level of another item, or its own. */
  expectedOf(item: AuditedItem, without?: AuditedItem): number;
  /** By item: how far its level is from what is expected. */
  residuals: ReadonlyMap<string, number>;
};

/**
 * 1. Levels of items about the median of their set. 2. What is usual of their kind and rarity. 3. What is left of cards of the same
 * number in other languages, or else of the same name in other sets, shrunk by how many there are.
 */
export function expectedLevels(book: GameBook): ExpectedLevels {
  const levels = new Map<string, LogEstimate>();
  for (const [itemId, cells] of book.cellsOf) {
    const level = book.items.has(itemId) ? levelIn(book, cells) : null;
    if (level !== null) levels.set(itemId, level);
  }
  const priced = [...levels.keys()].map((itemId) => book.items.get(itemId)!);
  const centres = new Map(
    [...groupBy(priced, unitKey)].map(([key, ofSet]) => [
      key,
      median(ofSet.map(({ itemId }) => levels.get(itemId)!.value)),
    ]),
  );
  const centred = (item: AuditedItem) => levels.get(item.itemId)!.value - centres.get(unitKey(item))!;
  const samples = priced.map(
    (item): Levelled => ({
      item,
      value: centred(item),
      noise: levels.get(item.itemId)!.variance,
      groups: groupsOf(item),
    }),
  );
  const usual = usualOf(samples, FIRST_VARIANCE);
  const left = samples.map((sample) => ({ item: sample.item, left: sample.value - usual(sample).centre }));
  const byName = groupBy(left, ({ item }) => item.spelling);
  const byNumber = groupBy(left, ({ item }) => cardKey(item));
  const remaining = (item: AuditedItem) => {
    const languages = (byNumber.get(cardKey(item)) ?? []).filter((one) => one.item.language !== item.language);
    if (languages.length > 0) return shrunkMedian(languages, LANGUAGE_COUNT);
    return shrunkMedian(
      (byName.get(item.spelling) ?? []).filter((one) => unitKey(one.item) !== unitKey(item)),
      NAME_COUNT,
    );
  };
  const samplesById = new Map(samples.map((sample) => [sample.item.itemId, sample]));
  const expectedOf = (item: AuditedItem, without = item) => {
    const sample = samplesById.get(item.itemId) ?? { item, value: Number.NaN, noise: 0, groups: groupsOf(item) };
    return usual(sample, samplesById.get(without.itemId) ?? sample).centre + remaining(item);
  };
  return {
    levelOf: (item) => {
      const level = levels.get(item.itemId);
      return level === undefined ? null : { value: centred(item), variance: level.variance };
    },
    expectedOf,
    residuals: new Map(samples.map(({ item, value }) => [item.itemId, value - expectedOf(item)])),
  };
}

function unitKey({ setId, language }: AuditedItem): string {
  return `${setId} ${language}`;
}

function groupsOf(item: AuditedItem): string[] {
  const kind = printingOf(item);
  return [`rarity ${item.rarity}`, `${kind} ${item.rarity}`, `${item.setId} ${kind} ${item.rarity}`];
}

function shrunkMedian(values: readonly { left: number }[], count: number): number {
  if (values.length === 0) return 0;
  return (values.length / (values.length + count)) * median(values.map(({ left }) => left));
}
