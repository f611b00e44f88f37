import { gradeOf } from '../../catalog/grades.ts';
import { dayOf, dayStartMs } from '../../lib/day.ts';
import { DEMO_DAYS, type DemoGrade, demoValues, firstOffset, gradesOf } from './demo-market.ts';
import { type DemoItem, demoCards } from './items.ts';
import { saleError } from './price-process.ts';
import { chanceOf } from './random.ts';
import { type SimulatedServer, simulatedServer } from './simulated-server.ts';

/** Days that its search covers. */
const SEARCHED_DAYS = 90;
/** Chance of a sale of a card in a grade on a day. */
const SALES_A_DAY = 1 / 15;
/** Part of the other grades' sales that a search finds too. */
const OTHER_GRADES = 0.1;
const ANSWER_MS = 300;

/**
 * Starts a market that does not exist: `GET /sold?q=<words>` lists sales of the last 90 days of the cards whose name and
 * number are among the words, as a marketplace's search does: of every set and printing, and some of other grades. A day
 * has the same sales every time; prices go on from those of the demo, which ends on `endDay` (UTC day number).
 */
export function startDemoMarket({ endDay, clock }: { endDay: number; clock: () => number }): Promise<SimulatedServer> {
  const cards = demoCards().map((card) => ({
    card,
    words: wordsOf(`${card.name} ${card.number?.split('/')[0] ?? ''}`),
  }));
  return simulatedServer((url) => {
    if (url.pathname !== '/sold') return null;
    const searched = wordsOf(url.searchParams.get('q') ?? '');
    const named = cards.filter(({ words }) => [...words].every((word) => searched.has(word)));
    const sold = named.flatMap(({ card }) => soldOf(card, searched, { endDay, today: dayOf(clock()) }));
    return { body: { sold }, afterMs: ANSWER_MS };
  });
}

/** Its entry in the connections file of the demo. */
export function demoMarketConnection(origin: string): object {
  return {
    id: 'simulated-sold-search',
    name: 'Simulated sold search',
    kind: 'json-http',
    tells: 'sale',
    url: `${origin}/sold?q={query}`,
    private: true,
    rows: '/sold',
    fields: {
      sale_id: '/id',
      title: '/title',
      price: '/price',
      currency: '/currency',
      sold_at: '/soldAt',
      sale_type: '/how',
      detail: '/about',
    },
  };
}

type Days = { endDay: number; today: number };

function soldOf(card: DemoItem, searched: ReadonlySet<string>, { endDay, today }: Days) {
  const firstDay = endDay - DEMO_DAYS + 1;
  const value = demoValues(endDay)(card);
  const days = Array.from({ length: SEARCHED_DAYS }, (_, at) => today - SEARCHED_DAYS + at);
  return gradesOf(card).flatMap((grade) => {
    const isNamed = [grade.company, grade.grade.split(' ')[0]!].every((word) => searched.has(word.toLowerCase()));
    return days.flatMap((day) => {
      const chance = chanceOf(`sold ${card.demoId} ${grade.company} ${grade.grade} ${day}`);
      const offset = Math.min(day - firstDay, DEMO_DAYS - 1);
      if (!chance.happens(isNamed ? SALES_A_DAY : SALES_A_DAY * OTHER_GRADES) || offset < firstOffset(card, firstDay))
        return [];
      const usd = value(grade, offset) * Math.exp(saleError(card.game, grade.company !== 'RAW', chance));
      return {
        id: `${card.demoId}#${grade.company}#${grade.grade}#${day}`,
        title: titleOf(card, grade),
        price: Math.max(0.99, usd).toFixed(2),
        currency: 'USD',
        soldAt: new Date(dayStartMs(day) + Math.floor(86_400 * chance.uniform()) * 1000).toISOString(),
        how: chance.happens(0.6) ? 'auction' : 'fixed',
        about: 'simulated sale',
      };
    });
  });
}

/** As sellers write: year, set, name, number, printing, language, grade. */
function titleOf(card: DemoItem, { company, grade }: DemoGrade): string {
  const number = card.number && `#${card.number}`;
  const language = card.language === 'English' ? '' : card.language;
  const slab = company === 'RAW' ? '' : gradeOf(company, grade)!.label;
  const year = card.setName.startsWith(String(card.year)) ? '' : card.year;
  return [year, card.setName, card.name, number, card.variation, language, slab].filter(Boolean).join(' ');
}

function wordsOf(text: string): Set<string> {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return new Set(plain.match(/[\p{L}\p{N}.]+/gu) ?? []);
}
