import { GAME_LABELS, GAMES, type Game, isGame } from '../../catalog/games.ts';
import { invalidValue } from '../../http/problem.ts';
import { MIN_Q_CHARS } from '../../search/find.ts';
import { searchFor, searchWords } from '../../search/search.ts';
import { Name } from '../card/name.tsx';
import { Chips } from '../chips.tsx';
import { count } from '../format.ts';
import type { Page } from '../page.ts';
import { siteOf } from '../site/site.ts';
import { CardTiles } from '../tile.tsx';
import { type SearchAddress, searchHref } from './search-address.ts';
import { GameChoice, NothingFound, SlabOffer, StartHere, TagChoices, TooShort } from './search-parts.tsx';

const RESULTS_A_PAGE = 30;

/** `/search`: cards by words, tags and game. */
export const searchPage: Page = {
  path: '/search',
  maxAgeSeconds: 60,
  async answer(context, { query }) {
    const wanted = wantedOf(query);
    const site = siteOf(context);
    const found = isEnough(wanted) ? (await searchFor(context, parametersOf(wanted))).body : null;
    const title = titleOf(wanted);
    return {
      title,
      description: `Search ${site.name} by name, set, number, language, year or variation.`,
      path: null,
      isHidden: true,
      section: 'cards',
      query: wanted.q,
      main: (
        <div class="wrap">
          <div class="page-head">
            <h1>
              <Name>{title}</Name>
            </h1>
            {found !== null && found.results.length > 0 && <p class="muted">{extentOf(found, wanted)}</p>}
          </div>
          {found === null ? (
            wanted.q === '' ? (
              <StartHere />
            ) : (
              <TooShort />
            )
          ) : (
            <>
              {found.cert && <SlabOffer cert={found.cert} />}
              <GameChoice wanted={wanted} />
              <TagChoices wanted={wanted} results={found.results} />
              {found.results.length === 0 ? (
                <NothingFound wanted={wanted} />
              ) : (
                <CardTiles site={site} cards={found.results} />
              )}
              {found.nextCursor && (
                <nav class="pages" aria-label="Pages">
                  <Chips
                    links={[{ href: searchHref(wanted, { after: found.nextCursor }), name: 'More cards', rel: 'next' }]}
                  />
                </nav>
              )}
            </>
          )}
        </div>
      ),
    };
  },
};

/** The search of an address. Throws `invalid_parameter` for an unknown game; the search validates the rest. */
function wantedOf(query: URLSearchParams): SearchAddress {
  const q = searchWords(query.get('q') ?? '');
  const game = query.get('game') || null;
  if (game !== null && !isGame(game)) throw invalidValue('game', `one of ${GAMES.join(', ')}`, game);
  const tags = query.getAll('tag').filter((tag) => tag !== '');
  return { q, tags: [...new Set(tags)], game, after: query.get('after') || null };
}

function parametersOf({ q, tags, game, after }: SearchAddress): Parameters<typeof searchFor>[1] {
  const tag = tags.length === 0 ? undefined : tags;
  return { q, tag, game: game ?? undefined, after: after ?? undefined, limit: RESULTS_A_PAGE, gameNarrowsWords: true };
}

function isEnough({ q, tags }: SearchAddress): boolean {
  return tags.length > 0 || [...q].length >= MIN_Q_CHARS;
}

function titleOf({ q, tags, game }: SearchAddress): string {
  const among = game === null ? '' : ` in ${GAME_LABELS[game as Game]}`;
  if (q !== '') return `“${q}”${among}`;
  return tags.length === 0 ? 'Search cards' : `Cards by tag${among}`;
}

type SearchBody = Awaited<ReturnType<typeof searchFor>>['body'];

/** How many of the matches are on the page. */
function extentOf({ results, hasMore }: SearchBody, { tags, after }: SearchAddress): string {
  const cards = results.length === 1 ? '1 card' : `${count(results.length)} cards`;
  if (tags.length > 0) return `${cards} on this page${hasMore ? ', more follow' : after === null ? '' : ', the last'}.`;
  const graded = results.find(({ requestedGrade }) => requestedGrade);
  if (graded) return `${cards}, those tracked at ${graded.gradeLabel} first.`;
  return results.length < RESULTS_A_PAGE
    ? `${cards}, best match first.`
    : `Top ${count(RESULTS_A_PAGE)} matches. Add words to narrow the search.`;
}
