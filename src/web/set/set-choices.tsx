import { LANGUAGES, type Language } from '../../catalog/languages.ts';
import { languageToken } from '../../catalog/slug.ts';
import { invalidValue } from '../../http/problem.ts';
import { SET_SORTS, type SetSort } from '../../items/sets/set-cards.ts';
import { count } from '../format.ts';

/** Which of a set's cards are shown, and in which order. */
export type SetListView = { sort: SetSort; language: Language | null; page: number };

const SORT_NAMES: Record<SetSort, string> = {
  price: 'Highest price',
  move: 'Biggest 7-day move',
  number: 'Number',
  name: 'Name',
};

/** What an address asks for. Throws `invalid_parameter`. */
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

/** The address of a choice; what is usual is not said. */
export function addressOf(href: string, { sort, language, page }: SetListView): string {
  const query = new URLSearchParams();
  if (sort !== 'price') query.set('sort', sort);
  if (language !== null) query.set('language', languageToken(language));
  if (page !== 1) query.set('page', String(page));
  return query.size === 0 ? href : `${href}?${query}`;
}

type Shown = { href: string; choice: SetListView };

/** Orders, and languages where there are several. A set of one card has nothing to choose. */
export function Choices({ href, choice, languages }: Shown & { languages: ReadonlyMap<Language, number> }) {
  const all = [...languages.values()].reduce((sum, cards) => sum + cards, 0);
  if (all === 1) return null;
  const link = (name: string, cards: number | null, change: Partial<SetListView>, isChosen: boolean) => (
    <li key={name}>
      <a href={addressOf(href, { ...choice, page: 1, ...change })} aria-current={isChosen ? 'true' : undefined}>
        {name}
        {cards !== null && <span class="chip-count">{count(cards)}</span>}
      </a>
    </li>
  );
  return (
    <div class="set-choices">
      <nav aria-label="Order">
        <ul class="chips">{SET_SORTS.map((sort) => link(SORT_NAMES[sort], null, { sort }, sort === choice.sort))}</ul>
      </nav>
      {languages.size > 1 && (
        <nav aria-label="Languages">
          <ul class="chips">
            {link('All languages', all, { language: null }, choice.language === null)}
            {[...languages]
              .sort(([a, cardsA], [b, cardsB]) => cardsB - cardsA || (a < b ? -1 : 1))
              .map(([language, cards]) => link(language, cards, { language }, language === choice.language))}
          </ul>
        </nav>
      )}
    </div>
  );
}

/** The way to the pages before and after, and to the first and the last. */
export function Pages({ href, choice, pages }: Shown & { pages: number }) {
  const { page } = choice;
  const link = (to: number, name: string, rel?: string) => (
    <li key={name}>
      <a href={addressOf(href, { ...choice, page: to })} rel={rel}>
        {name}
      </a>
    </li>
  );
  return (
    <nav class="pages" aria-label="Pages">
      <p>
        Page {count(page)} of {count(pages)}
      </p>
      <ul class="chips">
        {page > 2 && link(1, 'First')}
        {page > 1 && link(page - 1, 'Previous', 'prev')}
        {page < pages && link(page + 1, 'Next', 'next')}
        {page < pages - 1 && link(pages, 'Last')}
      </ul>
    </nav>
  );
}
