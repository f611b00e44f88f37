import { LANGUAGES, type Language } from '../../catalog/languages.ts';
import { languageToken } from '../../catalog/slug.ts';
import { invalidParameter } from '../../http/problem.ts';
import { SET_SORTS, type SetSort } from '../../items/sets/set-entries.ts';
import { addressWith, oneOf, pageOf } from '../choice.ts';

export const SET_LAYOUTS = ['pictures', 'list'] as const;
export type SetLayout = (typeof SET_LAYOUTS)[number];

/** Which of a set's cards an address requests, and how they are shown. Null: what suits the set. */
export type SetChoice = {
  sort: SetSort | null;
  view: SetLayout | null;
  language: Language | null;
  rarity: string | null;
  /** Text that the filter field has. */
  filter: string;
  pricedOnly: boolean;
  isUnfolded: boolean;
  page: number;
};

const MAX_FILTER_CHARS = 80;
const MAX_RARITY_CHARS = 120;
const MAX_PAGE = 99_999;

/** The choice of an address. Throws `invalid_parameter`. */
export function choiceOf(query: URLSearchParams): SetChoice {
  const [filter, rarity] = [query.get('q') ?? '', query.get('rarity') || null];
  if (filter.length > MAX_FILTER_CHARS)
    throw invalidParameter('q', `q must be at most ${MAX_FILTER_CHARS} characters; got ${filter.length}.`);
  if (rarity !== null && rarity.length > MAX_RARITY_CHARS)
    throw invalidParameter('rarity', `rarity must be at most ${MAX_RARITY_CHARS} characters; got ${rarity.length}.`);
  const token = oneOf(query, 'language', LANGUAGES.map(languageToken));
  return {
    sort: oneOf(query, 'sort', SET_SORTS),
    view: oneOf(query, 'view', SET_LAYOUTS),
    language: LANGUAGES.find((one) => languageToken(one) === token) ?? null,
    rarity,
    filter: filter.trim(),
    pricedOnly: oneOf(query, 'priced', ['1']) !== null,
    isUnfolded: oneOf(query, 'printings', ['all']) !== null,
    page: pageOf(query, MAX_PAGE),
  };
}

/** The words of a filter. */
export function wordsOf(filter: string): string[] {
  return filter.split(/\s+/).filter(Boolean);
}

/** The address of a choice. */
export function addressOf(href: string, choice: Partial<SetChoice>): string {
  return addressWith(href, fieldsOf(choice));
}

/** The parameters of a choice; null or empty where they have their default value. */
export function fieldsOf(choice: Partial<SetChoice>): Record<string, string | null> {
  const { sort = null, view = null, language = null, rarity = null, filter = '', page = 1 } = choice;
  return {
    q: filter,
    sort,
    view,
    language: language && languageToken(language),
    rarity,
    priced: choice.pricedOnly ? '1' : null,
    printings: choice.isUnfolded ? 'all' : null,
    page: page === 1 ? null : String(page),
  };
}

/** True of a choice that shows other cards than the plain address does, or in another order. */
export function isNarrowed({ sort, view, language, rarity, filter, pricedOnly, isUnfolded }: SetChoice): boolean {
  return (
    sort !== null || view !== null || language !== null || rarity !== null || filter !== '' || pricedOnly || isUnfolded
  );
}
