import { Type } from 'typebox';
import { type GradeRow, gradeByKey } from '../catalog/grades.ts';
import { parseItemSegment } from '../catalog/slug.ts';
import type { CardOverview } from '../items/overview.ts';
import { UUID } from '../lib/uuid.ts';
import { becauseOf } from '../lists/line-reasons.ts';
import { statedGrade } from '../lists/list-lines.ts';
import type { SearchHit } from '../search/hits.ts';
import { queryText } from '../search/query/read-query.ts';
import { requestedGradeOf } from '../search/query/requested-grade.ts';
import { type NamedCard, namedCard, namedCardOf } from './card-shapes.ts';
import { ApiProblem, queryOf, type ToolApi } from './tool.ts';
import { whatFits } from './what-fits.ts';

/** The most cards that a search answers with. */
const MOST_HITS = 30;
const MOST_CANDIDATES = 10;

/** How tools name a card. */
export const cardParameter = Type.String({
  minLength: 1,
  maxLength: 400,
  description:
    'Its id, the address of its page (with `?on=` as of that day), or words that leave only one printing: name, set, number, edition or finish, language.',
});
export const gradeParameter = Type.String({
  minLength: 1,
  maxLength: 60,
  description: 'Company and grade, such as `PSA 10`, `BGS 9.5` or `Raw A`; `raw` is Raw A, near mint and ungraded.',
});
export const onParameter = Type.Optional(
  Type.String({ minLength: 10, maxLength: 10, description: 'A closed day, `YYYY-MM-DD`; the last one by default.' }),
);
export const closeDay = Type.String({ format: 'date', description: 'The day whose close the figures are of (UTC).' });

/** What every tool says that takes a card by words. `Status`: what else it may say. */
export function cardAnswer<const Status extends string>(statuses: readonly Status[]) {
  return {
    status: Type.Enum([...statuses, 'several_fit', 'none_fits'], {
      description:
        '`several_fit`: the words fit every one of `candidates`; ask which one is meant. `none_fits`: no card has all of the words; `candidates` are the nearest.',
    }),
    because: Type.Union([Type.String(), Type.Null()], {
      description: 'The status in a sentence; null where it is plain.',
    }),
    card: Type.Optional(namedCard),
    candidates: Type.Optional(Type.Array(namedCard, { maxItems: MOST_CANDIDATES })),
  };
}

/** Which card some words mean. */
export type WordsAnswer =
  | { status: 'one_fits'; card: NamedCard }
  | { status: 'several_fit' | 'none_fits'; because: string; candidates: NamedCard[] };

/** Searches for the card that words mean. One request. */
export async function cardOfWords(api: ToolApi, words: string, game?: string): Promise<WordsAnswer> {
  const query = queryOf({ q: words, limit: MOST_HITS });
  const { results, cert } = await api.get<{ results: SearchHit[]; cert?: object }>(`/v1/search${query}`);
  const hits = game === undefined ? results : results.filter((hit) => hit.game === game);
  const fits = whatFits(words, hits);
  if (fits.length === 1) return { status: 'one_fits', card: namedCardOf(fits[0]!, api.baseUrl) };
  const named = (cards: readonly SearchHit[]) =>
    cards.slice(0, MOST_CANDIDATES).map((card) => namedCardOf(card, api.baseUrl));
  if (fits.length > 1) {
    const count = fits.length === MOST_HITS ? `${MOST_HITS} or more` : String(fits.length);
    const because = `${count} printings fit these words. Say the set, number, edition or finish, and language, or pass the id of a candidate.`;
    return { status: 'several_fit', because, candidates: named(fits) };
  }
  const because =
    cert !== undefined
      ? 'These words read as the cert of a slab: the tool `slab` takes it.'
      : hits.length === 0
        ? 'No card has any of these words.'
        : 'No card has all of these words. The candidates are the nearest, and may be other cards.';
  return { status: 'none_fits', because, candidates: named(hits) };
}

/** A card with its grades as the close of `on` published them. */
export type LocatedCard = { card: NamedCard; overview: CardOverview; on: string };

/** Reads a card that is named by id, by the address of its page, or by words. Throws ApiProblem for an id that is not a card's. */
export async function locateCard(
  api: ToolApi,
  sent: { card: string; on?: string },
): Promise<LocatedCard | Exclude<WordsAnswer, { status: 'one_fits' }>> {
  const named = sent.on ?? dayWithin(sent.card.trim());
  const on = await closedDayOf(api, named);
  const path = itemPathOf(sent.card.trim());
  let locator = path;
  if (locator === null) {
    const found = await cardOfWords(api, sent.card);
    if (found.status !== 'one_fits') return found;
    locator = `by-id/${found.card.id}`;
  }
  const overview = await overviewOn(api, locator, on, named !== undefined);
  return { card: namedCardOf(overview, api.baseUrl), overview, on };
}

/**
 * A card as the close of a day published it. Where nobody named the day, a price that has been withheld since then is left out: one
 * request more, of a card with a price.
 */
export async function overviewOn(api: ToolApi, path: string, on: string, isDayNamed: boolean): Promise<CardOverview> {
  const published = await api.get<CardOverview>(`/v1/items/${path}/overview${queryOf({ asOf: on })}`);
  if (isDayNamed || published.grades.every(({ priceUsdCents }) => priceUsdCents === null)) return published;
  const { grades } = await api.get<CardOverview>(`/v1/items/${path}/overview`);
  const withheld = new Set(grades.filter(({ reason }) => reason !== undefined).map(({ gradeLabel }) => gradeLabel));
  const reason = 'identity_suspect' as const;
  return {
    ...published,
    grades: published.grades.map((one) =>
      withheld.has(one.gradeLabel) ? { ...one, priceUsdCents: null, priceRangeUsdCents: null, reason } : one,
    ),
  };
}

/** The day that was asked for, else the last closed one. Throws ApiProblem before the first close. */
export async function closedDayOf(api: ToolApi, on: string | undefined): Promise<string> {
  if (on !== undefined) return on;
  const { closedDay } = await api.get<{ closedDay: string | null }>('/v1/status');
  if (closedDay === null) throw new ApiProblem('No day has been closed yet, so nothing has a price.');
  return closedDay;
}

/** The part of an address of the API that names a card; null for words. */
function itemPathOf(card: string): string | null {
  if (UUID.test(card)) return `by-id/${card}`;
  const [, game, set, segment] =
    /^(?:https?:\/\/[^/\s]+)?\/card\/([^/\s?#]+)\/([^/\s?#]+)\/([^/\s?#]+)/.exec(card) ?? [];
  return segment === undefined ? null : `${game}/${set}/${segment}`;
}

/** The day that an address of a page names, as each `citeUrl` does. */
function dayWithin(card: string): string | undefined {
  return itemPathOf(card) === null ? undefined : /[?&]on=([^&#]+)/.exec(card)?.[1];
}

/** The grade that an address of a page ends in, or that words state; undefined without one. */
export function gradeWithin(card: string): string | undefined {
  const segment = itemPathOf(card.trim())?.split('/')[2];
  if (segment === undefined) return UUID.test(card.trim()) ? undefined : requestedGradeOf(queryText(card))?.label;
  return parseItemSegment(segment).find(({ gradeKey }) => gradeKey !== null)?.gradeKey ?? undefined;
}

/** The grade that a text names, or why it has no prices, in a sentence. */
function gradeNamed(text: string): GradeRow | string {
  const row = gradeByKey(text.trim()) ?? requestedGradeOf(queryText(text.trim()));
  if (row !== null) return row;
  const stated = statedGrade({ gradeLabel: text });
  return stated === null ? becauseOf('grade_unknown') : 'reason' in stated ? becauseOf(stated.reason) : stated;
}

type Entry = CardOverview['grades'][number];

/** A located card at the grade that was asked for: its entry and row, or why it has no price there. */
export function atGrade({ overview }: LocatedCard, grade: string): { entry: Entry; row: GradeRow } | string {
  const row = gradeNamed(grade);
  if (typeof row === 'string') return row;
  const entry = overview.grades.find(({ gradeLabel }) => gradeLabel === row.label);
  if (entry?.priceUsdCents != null) return { entry, row };
  if (entry?.reason !== undefined) return becauseOf(entry.reason);
  const priced = overview.grades.filter(({ priceUsdCents }) => priceUsdCents !== null);
  const others = priced.map(({ gradeLabel }) => gradeLabel).join(', ');
  return `This card has no price at ${row.label}.${others === '' ? '' : ` It has one at ${others}.`}`;
}
