import type { AuditedItem } from '../../src/audit/game-book.ts';
import type { Sql } from '../../src/db/client.ts';
import { groupBy } from '../../src/lib/group-by.ts';
import type { MatchItem } from '../../src/sales/match/match-index.ts';
import { catalogPages } from '../../src/sales/titles.ts';
import type { TitleOf } from './audit-market.ts';

/**
 * How many titles state each part. 76 of 92 labeled titles of Japanese cards state the language; the others are guesses, the
 * variation a low one: 7 of the 8 labeled titles with an edition or finish state it.
 */
const STATED = { language: 0.83, variation: 0.8, set: 0.85, number: 0.85, year: 0.4, game: 0.6 };
/** How many titles are of another printing of the card, by mistake. */
const MISTAKEN = 0.02;
const GRADE_WORDS: Readonly<Record<string, string>> = {
  'raw-A': 'NM',
  'psa-8': 'PSA 8',
  'psa-9': 'PSA 9',
  'psa-10': 'PSA 10',
};

/** Titles of a share of simulated sales, worded as listings are; each leaves out what it happens to. The others have an id alone. */
export async function listingTitles(sql: Sql, titled: number): Promise<TitleOf> {
  const items = new Map<string, MatchItem>();
  for await (const page of catalogPages(sql)) for (const item of page) items.set(item.id, item);
  const cards = groupBy(items.values(), ({ game, setName, number, name }) => [game, setName, number, name].join('|'));
  const siblings = new Map([...cards.values()].flatMap((card) => card.map((one) => [one.id, card] as const)));
  return ({ itemId }: AuditedItem, gradeKey, uniform) => {
    if (uniform() >= titled) return null;
    const card = siblings.get(itemId)!;
    const isMistaken = uniform() < MISTAKEN;
    const item = isMistaken && card.length > 1 ? card[Math.floor(uniform() * card.length)]! : items.get(itemId)!;
    const { game, setName, number, name, language, variation, year } = item;
    const part = (share: number, text: string | null | number) => (uniform() < share && text !== null ? `${text}` : '');
    const words = [
      part(STATED.year, year),
      part(STATED.game, game === 'sports' ? null : game),
      part(STATED.language, language === 'English' ? null : language),
      part(STATED.set, setName),
      name,
      part(STATED.variation, variation),
      part(STATED.number, number === null ? null : `#${number}`),
      GRADE_WORDS[gradeKey]!,
    ];
    return words.filter((word) => word !== '').join(' ');
  };
}
