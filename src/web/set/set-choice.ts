import { LANGUAGES, type Language } from '../../catalog/languages.ts';
import { languageToken } from '../../catalog/slug.ts';
import { invalidParameter, invalidValue } from '../../http/problem.ts';
import { SET_SORTS, type SetSort } from '../../items/sets/set-entries.ts';

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

/** The choice of an address. Throws `invalid_parameter`. */
export function choiceOf(query: URLSearchParams): SetChoice {
  const [filter, rarity, page] = [query.get('q') ?? '', query.get('rarity') || null, query.get('page') ?? '1'];
  if (filter.length > MAX_FILTER_CHARS)
    throw invalidParameter('q', `q must be at most ${MAX_FILTER_CHARS} characters; got ${filter.length}.`);
  if (rarity !== null && rarity.length > MAX_RARITY_CHARS)
    throw invalidParameter('rarity', `rarity must be at most ${MAX_RARITY_CHARS} characters; got ${rarity.length}.`);
  if (!/^[1-9][0-9]{0,4}$/.test(page)) throw invalidValue('page', 'a whole number from 1 to 99999', page);
  const token = oneOf(query, 'language', LANGUAGES.map(languageToken));
  return {
    sort: oneOf(query, 'sort', SET_SORTS),
    view: oneOf(query, 'view', SET_LAYOUTS),
    language: LANGUAGES.find((one) => languageToken(one) === token) ?? null,
    rarity,
    filter: filter.trim(),
    pricedOnly: oneOf(query, 'priced', ['1']) !== null,
    isUnfolded: oneOf(query, 'printings', ['all']) !== null,
    page: Number(page),
  };
}

/** A parameter with one of the given values; null where it is absent or empty, as in a form that leaves it open. */
function oneOf<Value extends string>(query: URLSearchParams, name: string, values: readonly Value[]): Value | null {
  const given = query.get(name);
  if (given === null || given === '') return null;
  const known = values.find((one) => one === given);
  if (known === undefined) throw invalidValue(name, `one of ${values.join(', ')}`, given);
  return known;
}

/** The words of a filter. */
export function wordsOf(filter: string): string[] {
  return filter.split(/\s+/).filter(Boolean);
}

/** The address of a choice. */
export function addressOf(href: string, choice: Partial<SetChoice>): string {
  const query = new URLSearchParams(fieldsOf(choice));
  return query.size === 0 ? href : `${href}?${query}`;
}

/** The parameters of a choice, without those that have their default value. */
export function fieldsOf(choice: Partial<SetChoice>): [name: string, value: string][] {
  const { sort, view, language, rarity, filter, pricedOnly, isUnfolded, page = 1 } = choice;
  const fields = {
    q: filter,
    sort,
    view,
    language: language && languageToken(language),
    rarity,
    priced: pricedOnly ? '1' : null,
    printings: isUnfolded ? 'all' : null,
    page: page === 1 ? null : String(page),
  };
  return Object.entries(fields).filter((field): field is [string, string] => Boolean(field[1]));
}

/** True of a choice that shows other cards than the plain address does, or in another order. */
export function isNarrowed({ sort, view, language, rarity, filter, pricedOnly, isUnfolded }: SetChoice): boolean {
  return (
    sort !== null || view !== null || language !== null || rarity !== null || filter !== '' || pricedOnly || isUnfolded
  );
}
