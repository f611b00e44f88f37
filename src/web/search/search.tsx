import { readCert } from '../../catalog/cert.ts';
import { GAME_LABELS, GAMES, isGame } from '../../catalog/games.ts';
import { invalidValue } from '../../http/problem.ts';
import { WINDOW } from '../../search/cursor.ts';
import { MIN_Q_CHARS } from '../../search/find.ts';
import { searchWords } from '../../search/search.ts';
import { gradeName } from '../card/card-facts.ts';
import { Name } from '../card/name.tsx';
import { Chips } from '../chips.tsx';
import { count } from '../format.ts';
import { SearchForm } from '../layout.tsx';
import type { Page } from '../page.ts';
import { type Site, siteOf } from '../site/site.ts';
import { CardTiles } from '../tile.tsx';
import { SEARCH_SORTS, type SearchAddress, searchHref } from './search-address.ts';
import { GameChoice, NothingFound, OrderChoice, SlabOffer, StartHere, TagChoices, TooShort } from './search-parts.tsx';
import { type SearchResults, searchResults } from './search-results.ts';

/** `/search`: cards by words, tags and game. */
export const searchPage: Page = {
  path: '/search',
  maxAgeSeconds: 60,
  async answer(context, { query }) {
    const wanted = wantedOf(query);
    const site = siteOf(context);
    const found = isEnough(wanted) ? await searchResults(context, wanted) : null;
    const cert = readCert(wanted.q);
    const title = titleOf(wanted);
    return {
      title,
      description: `Search ${site.name} by name, set, number, language, year or variation.`,
      path: null,
      isHidden: true,
      section: 'cards',
      hasSearch: true,
      main: (
        <div class="wrap">
          <div class="page-head search-head">
            <SearchForm query={wanted.q} isLarge />
            <h1>
              <Name>{title}</Name>
            </h1>
            {found?.corrected && <Corrected wanted={wanted} corrected={found.corrected} />}
            {found !== null && found.total > 0 && <p class="muted">{extentOf(found, wanted)}</p>}
          </div>
          {cert.kind !== 'invalid' && <SlabOffer cert={cert} typed={wanted.q} />}
          {found === null && (wanted.q === '' ? <StartHere site={site} /> : <TooShort site={site} />)}
          {found !== null && <Found {...{ site, wanted, found }} isCert={cert.kind !== 'invalid'} />}
        </div>
      ),
    };
  },
};

type FoundOf = { site: Site; wanted: SearchAddress; found: SearchResults; isCert: boolean };

function Found({ site, wanted, found, isCert }: FoundOf) {
  return (
    <>
      <GameChoice wanted={wanted} games={found.games} />
      <TagChoices wanted={wanted} results={found.cards} />
      {found.total + found.priced > 1 && <OrderChoice wanted={wanted} priced={found.priced} />}
      {found.cards.length === 0 ? (
        <NothingFound site={site} wanted={wanted} isCert={isCert} />
      ) : (
        <CardTiles site={site} cards={notesOf(found)} mayBeList />
      )}
      {found.hasMore && (
        <nav class="pages" aria-label="Pages">
          <Chips links={[{ href: searchHref(wanted, { page: wanted.page + 1 }), name: 'More cards', rel: 'next' }]} />
        </nav>
      )}
    </>
  );
}

/** Cards with a price or a sale, but not at the grade of the query, say so. */
function notesOf({ cards, grade }: SearchResults) {
  return cards.map((card) =>
    card.requestedGrade === false && card.gradeLabel !== null
      ? { ...card, note: `No ${gradeName(grade!.label)} price` }
      : card,
  );
}

function Corrected({ wanted, corrected }: { wanted: SearchAddress; corrected: string }) {
  return (
    <p>
      Showing results for <strong>{corrected}</strong>.{' '}
      <a href={searchHref(wanted, { isExact: true })}>
        Search instead for <bdi>{wanted.q}</bdi>
      </a>
    </p>
  );
}

/** The search of an address. Throws `invalid_parameter`; the search validates words and tags. */
function wantedOf(query: URLSearchParams): SearchAddress {
  const q = searchWords(query.get('q') ?? '');
  const game = query.get('game') || null;
  if (game !== null && !isGame(game)) throw invalidValue('game', `one of ${GAMES.join(', ')}`, game);
  const named = query.get('sort') || 'best';
  const sort = SEARCH_SORTS.find((one) => one === named);
  if (sort === undefined) throw invalidValue('sort', `one of ${SEARCH_SORTS.join(', ')}`, named);
  const page = query.get('page') || '1';
  if (!/^([1-9]|10)$/.test(page)) throw invalidValue('page', 'a whole number from 1 to 10', page);
  const tags = [...new Set(query.getAll('tag').filter((tag) => tag !== ''))];
  const [isPriced, isExact] = ['priced', 'exact'].map((name) => query.get(name) === '1') as [boolean, boolean];
  return { q, tags, game, sort, isPriced, isExact, page: Number(page) };
}

function isEnough({ q, tags }: SearchAddress): boolean {
  return tags.length > 0 || [...q].length >= MIN_Q_CHARS;
}

function titleOf({ q, tags, game }: SearchAddress): string {
  const among = game === null ? '' : ` in ${GAME_LABELS[game]}`;
  if (q !== '') return `“${q}”${among}`;
  return tags.length === 0 ? 'Search cards' : `Cards by tag${among}`;
}

/** How many cards were found, and in which order they are. */
function extentOf({ total, grade }: SearchResults, { sort, page }: SearchAddress): string {
  const cards = total === 1 ? '1 card' : total === WINDOW ? `Top ${count(WINDOW)} matches` : `${count(total)} cards`;
  const order = {
    best: grade === null ? 'best match first' : `those sold as ${gradeName(grade.label)} first`,
    price: 'highest price first',
    newest: 'newest sale first',
    moved: 'biggest 7-day move first',
  }[sort];
  return `${cards}, ${order}${page === 1 ? '' : `, page ${page}`}.`;
}
