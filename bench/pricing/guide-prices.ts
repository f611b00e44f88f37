import { readFileSync } from 'node:fs';
import { formatDay, parseDay } from '../../src/lib/day.ts';
import { groupBy } from '../../src/lib/group-by.ts';

/** Grades of the guide that have prices of many months, by the slug token of the grade they are read as. */
const GUIDE_GRADES: Record<string, string> = { RAW: 'raw-A', GRADE_9: 'psa-9', PSA_10: 'psa-10' };

/**
 * A card of the guide; prices in US dollars by day (the first of a month), by grade. `year`: of its set's first graded price,
 * which is the release for every set with graded prices but those of 2020 and before.
 */
export type GuideCard = { id: string; set: string; year: number; prices: Map<string, Map<number, number>> };

/**
 * The cards of a guide file (`card_id,month,grade_id,market_price`) that have a graded price, in order of id. A few sets
 * are in it under two names (`sm11_5`, `sm11.5`) and are read once. The guide has no counts of sales: its column is empty.
 */
export function readGuideCards(path: string): GuideCard[] {
  const cards = new Map<string, GuideCard>();
  for (const line of readFileSync(path, 'utf8').trim().split('\n').slice(1)) {
    const [name, month, guideGrade, price] = line.split(',') as [string, string, string, string];
    const grade = GUIDE_GRADES[guideGrade];
    const day = parseDay(month);
    const priceUsd = Number(price);
    if (grade === undefined || day === null || !(priceUsd > 0)) continue;
    const id = name.replace('_5_', '.5_');
    const card = cards.get(id) ?? {
      id,
      set: id.replace(/_[^_]*$/, ''),
      year: Number.POSITIVE_INFINITY,
      prices: new Map(),
    };
    cards.set(id, card);
    const prices = card.prices.get(grade) ?? new Map<number, number>();
    card.prices.set(grade, prices.set(day, priceUsd));
  }
  const graded = [...cards.values()].filter(({ prices }) => prices.size > 1).sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const ofSet of groupBy(graded, ({ set }) => set).values()) {
    const year = Number(formatDay(Math.min(...ofSet.flatMap(gradedDays))).slice(0, 4));
    for (const card of ofSet) card.year = year;
  }
  return graded;
}

function gradedDays({ prices }: GuideCard): number[] {
  return [...prices].flatMap(([grade, byDay]) => (grade === 'raw-A' ? [] : [...byDay.keys()]));
}

/** First to last day of the guide with every month's first day between them. */
export function guideDays(cards: readonly GuideCard[]): number[] {
  const days = new Set(cards.flatMap(({ prices }) => [...prices.values()].flatMap((byDay) => [...byDay.keys()])));
  return [...days].sort((a, b) => a - b);
}
