import { readFileSync } from 'node:fs';
import { parseDay } from '../../src/lib/day.ts';

/** Grades of the guide that have prices of many months, by the slug token of the grade they are read as. */
const GUIDE_GRADES: Record<string, string> = { RAW: 'raw-A', GRADE_9: 'psa-9', PSA_10: 'psa-10' };

/** A card of the guide; prices in US dollars by day (the first of a month), by grade. */
export type GuideCard = { id: string; set: string; prices: Map<string, Map<number, number>> };

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
    const card = cards.get(id) ?? { id, set: id.replace(/_[^_]*$/, ''), prices: new Map() };
    cards.set(id, card);
    const prices = card.prices.get(grade) ?? new Map<number, number>();
    card.prices.set(grade, prices.set(day, priceUsd));
  }
  return [...cards.values()].filter(({ prices }) => prices.size > 1).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** First to last day of the guide with every month's first day between them. */
export function guideDays(cards: readonly GuideCard[]): number[] {
  const days = new Set(cards.flatMap(({ prices }) => [...prices.values()].flatMap((byDay) => [...byDay.keys()])));
  return [...days].sort((a, b) => a - b);
}
