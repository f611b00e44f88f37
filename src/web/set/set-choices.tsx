import { LANGUAGES, type Language } from '../../catalog/languages.ts';
import { languageToken } from '../../catalog/slug.ts';
import { invalidValue } from '../../http/problem.ts';
import { SET_SORTS, type SetSort } from '../../items/sets/set-cards.ts';
import { type Chip, Chips } from '../chips.tsx';
import { count } from '../format.ts';

/** Which of a set's cards are shown, and in which order. */
export type SetListView = { sort: SetSort; language: Language | null; page: number };

const SORT_NAMES: Record<SetSort, string> = {
  price: 'Highest price',
  move: 'Biggest 7-day move',
  number: 'Number',
  name: 'Name',
};

/** The view that an address requests. Throws `invalid_parameter`. */
export function choiceOf(query: URLSearchParams): SetListView {
  const [sort, language, page] = [query.get('sort') ?? 'price', query.get('language'), query.get('page') ?? '1'];
  const known = SET_SORTS.find((one) => one === sort);
  if (known === undefined) throw invalidValue('sort', `one of ${SET_SORTS.join(', ')}`, sort);
  const named = language === null ? null : LANGUAGES.find((one) => languageToken(one) === language);
  if (named === undefined)
    throw invalidValue('language', `one of ${LANGUAGES.map(languageToken).join(', ')}`, language);
  if (!/^[1-9][0-9]{0,4}$/.test(page)) throw invalidValue('page', 'a whole number from 1 to 99999', page);
  return { sort: known, language: named, page: Number(page) };
}

/** The address of a choice, without its default values. */
export function addressOf(href: string, { sort, language, page }: SetListView): string {
  const query = new URLSearchParams();
  if (sort !== 'price') query.set('sort', sort);
  if (language !== null) query.set('language', languageToken(language));
  if (page !== 1) query.set('page', String(page));
  return query.size === 0 ? href : `${href}?${query}`;
}

type Shown = { href: string; choice: SetListView };

/** Orders, and languages if the set has several; not shown for a set of one card. */
export function Choices({ href, choice, languages }: Shown & { languages: ReadonlyMap<Language, number> }) {
  const all = [...languages.values()].reduce((sum, cards) => sum + cards, 0);
  if (all === 1) return null;
  const chip = (name: string, change: Partial<SetListView>, isCurrent: boolean, size?: number): Chip => ({
    href: addressOf(href, { ...choice, page: 1, ...change }),
    name,
    size,
    isCurrent,
  });
  return (
    <div class="set-choices">
      <nav aria-label="Order">
        <Chips links={SET_SORTS.map((sort) => chip(SORT_NAMES[sort], { sort }, sort === choice.sort))} />
      </nav>
      {languages.size > 1 && (
        <nav aria-label="Languages">
          <Chips
            links={[
              chip('All languages', { language: null }, choice.language === null, all),
              ...[...languages]
                .sort(([a, cardsA], [b, cardsB]) => cardsB - cardsA || (a < b ? -1 : 1))
                .map(([language, cards]) => chip(language, { language }, language === choice.language, cards)),
            ]}
          />
        </nav>
      )}
    </div>
  );
}

/** The way to the pages before and after, and to the first and the last. */
export function Pages({ href, choice, pages }: Shown & { pages: number }) {
  const { page } = choice;
  const chip = (to: number, name: string, rel?: string) => ({
    href: addressOf(href, { ...choice, page: to }),
    name,
    rel,
  });
  return (
    <nav class="pages" aria-label="Pages">
      <p>
        Page {count(page)} of {count(pages)}
      </p>
      <Chips
        links={[
          page > 2 && chip(1, 'First'),
          page > 1 && chip(page - 1, 'Previous', 'prev'),
          page < pages && chip(page + 1, 'Next', 'next'),
          page < pages - 1 && chip(pages, 'Last'),
        ].filter((one) => one !== false)}
      />
    </nav>
  );
}
