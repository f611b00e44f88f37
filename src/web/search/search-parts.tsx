import type { ReadCert } from '../../catalog/cert.ts';
import { GAME_LABELS, GAMES, type Game } from '../../catalog/games.ts';
import type { CardSummary } from '../../items/summary.ts';
import { MAX_TAGS } from '../../search/tag-parameter.ts';
import { GRADERS } from '../cert/cert-form.tsx';
import { Chips } from '../chips.tsx';
import type { Site } from '../site/site.ts';
import { SEARCH_SORTS, type SearchAddress, type SearchSort, searchHref } from './search-address.ts';

/** The most tags offered to narrow the results. */
const TAGS_OFFERED = 12;

/** The games to narrow a search to: those with matches, as far as they were counted. */
export function GameChoice({ wanted, games }: { wanted: SearchAddress; games: ReadonlyMap<Game, number> | null }) {
  const choices = [null, ...GAMES.filter((game) => games === null || games.has(game))];
  if (choices.length === 1) return null;
  return (
    <nav class="search-choice" aria-label="Games">
      <Chips
        links={choices.map((game) => {
          const name = game === null ? 'All games' : GAME_LABELS[game];
          const size = game === null ? undefined : games?.get(game);
          return { href: searchHref(wanted, { game }), name, size, isCurrent: game === wanted.game };
        })}
      />
    </nav>
  );
}

const SORT_NAMES: Record<SearchSort, string> = {
  best: 'Best match',
  price: 'Highest price',
  newest: 'Newest sale',
  moved: 'Biggest 7-day move',
};

/** Orders that need prices. */
const OF_PRICES: readonly SearchSort[] = ['price', 'moved'];

/** The orders of the results, and whether unpriced cards are left out. */
export function OrderChoice({ wanted, priced }: { wanted: SearchAddress; priced: number }) {
  const { isPriced } = wanted;
  // What changes nothing is not offered, but stays where the address chose it.
  const hasPrices = priced > 0 || isPriced || OF_PRICES.includes(wanted.sort);
  return (
    <nav class="search-choice" aria-label="Order">
      <Chips
        links={[
          ...SEARCH_SORTS.filter((sort) => hasPrices || !OF_PRICES.includes(sort)).map((sort) => ({
            href: searchHref(wanted, { sort }),
            name: SORT_NAMES[sort],
            isCurrent: sort === wanted.sort,
          })),
          ...(hasPrices
            ? [
                {
                  href: searchHref(wanted, { isPriced: !isPriced }),
                  name: isPriced ? 'Only priced ×' : 'Only priced',
                  size: priced,
                  isCurrent: isPriced,
                },
              ]
            : []),
        ]}
      />
    </nav>
  );
}

type Tagged = Pick<CardSummary, 'tags'>;

/** The tags searched by, each with a link that leaves it out, and tags that would narrow the results. */
export function TagChoices({ wanted, results }: { wanted: SearchAddress; results: readonly Tagged[] }) {
  const names = new Map(results.flatMap(({ tags = [] }) => tags.map((tag) => [`${tag.kind}:${tag.slug}`, tag.name])));
  const nameOf = (tag: string) => names.get(tag) ?? tag.slice(tag.indexOf(':') + 1).replaceAll('-', ' ');
  const offered = wanted.tags.length < MAX_TAGS ? narrowingTags(wanted, results) : [];
  if (wanted.tags.length === 0 && offered.length === 0) return null;
  return (
    <div class="search-tags">
      {wanted.tags.length > 0 && (
        <nav class="search-choice" aria-label="Tags searched by">
          <ul class="chips">
            {wanted.tags.map((tag) => (
              <li key={tag}>
                <a href={searchHref(wanted, { tags: wanted.tags.filter((one) => one !== tag) })} aria-current="true">
                  <span class="unseen">Leave out </span>
                  {nameOf(tag)}
                  <span class="chip-away" aria-hidden="true">
                    ×
                  </span>
                </a>
              </li>
            ))}
          </ul>
          <p class="muted small">Tags are available only for cards with an image.</p>
        </nav>
      )}
      {offered.length > 0 && (
        <nav class="search-choice" aria-label="Narrow by tag">
          <ul class="chips">
            {offered.map((tag) => (
              <li key={tag}>
                <a href={searchHref(wanted, { tags: [...wanted.tags, tag] })}>
                  <span class="chip-kind">{kindOf(tag)}</span> {nameOf(tag)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}

function kindOf(tag: string): string {
  return tag.slice(0, tag.indexOf(':')).replaceAll('-', ' ');
}

/** Tags that some but not all results have: the most frequent first, at most three of a kind. */
function narrowingTags({ tags: wanted }: SearchAddress, results: readonly Tagged[]): string[] {
  const counts = new Map<string, number>();
  for (const { tags = [] } of results)
    for (const { kind, slug } of tags) counts.set(`${kind}:${slug}`, (counts.get(`${kind}:${slug}`) ?? 0) + 1);
  const ofKind = new Map<string, number>();
  return [...counts]
    .filter(([tag, cards]) => cards > 1 && cards < results.length && !wanted.includes(tag))
    .sort(([a, cardsA], [b, cardsB]) => cardsB - cardsA || (a < b ? -1 : 1))
    .map(([tag]) => tag)
    .filter((tag) => {
      const before = ofKind.get(kindOf(tag)) ?? 0;
      ofKind.set(kindOf(tag), before + 1);
      return before < 3;
    })
    .slice(0, TAGS_OFFERED);
}

/** A link to the slab whose number was typed; bare digits may be of a grader other than PSA. */
export function SlabOffer({ cert: { cert, company, certNumber }, typed }: { cert: ReadCert; typed: string }) {
  const others = /^\s*\d+\s*$/.test(typed) ? GRADERS.filter((grader) => grader !== company) : [];
  return (
    <p class="search-slab">
      <a class="button" href={`/cert/${cert}`}>
        Look up the slab {company} {certNumber}
      </a>
      {others.length > 0 && (
        <span class="search-graders">
          Another grader?{' '}
          {others.map((grader) => (
            <a key={grader} href={`/cert/${grader}${certNumber}`}>
              {grader}
            </a>
          ))}
        </span>
      )}
    </p>
  );
}

type OnSite = { site: Site };

/** Shown before a search: examples of words, and other places to begin. */
export function StartHere({ site }: OnSite) {
  return (
    <div class="prose">
      <p>Type what you know, in any order:</p>
      <ul>
        <li>its name, in English or as printed,</li>
        <li>its set name or code, and its collector number,</li>
        <li>its year, its language, its finish or edition.</li>
      </ul>
      <p>Small typos are fine. For a slab, use its cert number.</p>
      <Ways site={site} />
    </div>
  );
}

export function TooShort({ site }: OnSite) {
  return (
    <div class="prose">
      <p>Type at least two characters.</p>
      <Ways site={site} />
    </div>
  );
}

/** What to change in a search without results. A cert number is not misspelled: its slab is offered above. */
export function NothingFound({ site, wanted, isCert }: OnSite & { wanted: SearchAddress; isCert: boolean }) {
  const { q, tags, game } = wanted;
  return (
    <div class="prose">
      <p>{isCert ? 'This is a cert number: no card has it as its own number.' : 'No matching cards.'}</p>
      <ul>
        {game !== null && (
          <li>
            <a href={searchHref(wanted, { game: null })}>Look in all games</a>, not in {GAME_LABELS[game]} alone
          </li>
        )}
        {tags.length > 0 && q !== '' && (
          <li>
            <a href={searchHref(wanted, { tags: [] })}>Look without tags</a>: cards without a picture are not found by
            tags
          </li>
        )}
        {tags.length > 1 && <li>Leave out one of the tags: a card must have all of them</li>}
        {q !== '' && !isCert && (
          <li>Check the spelling, or use fewer words: the name and the number are often enough</li>
        )}
      </ul>
      <Ways site={site} />
    </div>
  );
}

function Ways({ site }: OnSite) {
  return (
    <Chips
      links={[
        { href: '/card', name: 'Browse by game and set' },
        { href: '/cert', name: 'Look up a slab' },
        ...(site.canScan ? [{ href: '/scan', name: 'Scan a photo' }] : []),
      ]}
    />
  );
}
