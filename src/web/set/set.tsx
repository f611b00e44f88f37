import { GAME_LABELS } from '../../catalog/games.ts';
import { notFound } from '../../http/problem.ts';
import type { SetSort } from '../../items/sets/set-entries.ts';
import { counted } from '../../lib/counted.ts';
import { lineOf } from '../card/card-facts.ts';
import { SetName } from '../card/card-facts-line.tsx';
import { count } from '../format.ts';
import { itemListBlock } from '../json-ld.ts';
import { canonicalSegment, type Page } from '../page.ts';
import { Pages } from '../pages.tsx';
import { siteOf } from '../site/site.ts';
import { CardTiles } from '../tile.tsx';
import { ENTRIES_A_PAGE, readSet, type ShownEntry } from './read-set.ts';
import { addressOf, choiceOf, isNarrowed } from './set-choice.ts';
import { Choices } from './set-choices.tsx';
import { SetSummary } from './set-summary.tsx';
import { foldedOf, SetTable } from './set-table.tsx';

/** The order of a set in a sentence. */
export const ORDER_WORDS: Record<SetSort, string> = {
  price: 'highest price first',
  move: 'biggest 7-day move first',
  number: 'by number',
  name: 'by name',
};

/** `/card/{game}/{set}`: its cards, printings of one card folded into one entry; the query filters and orders them. */
export const setPage: Page = {
  path: '/card/:game/:set',
  maxAgeSeconds: 60,
  async answer(context, { params, query }) {
    const [game, segment] = [canonicalSegment(params.game!), canonicalSegment(params.set!)];
    if (game !== params.game || segment !== params.set) return { movedTo: `/card/${game}/${segment}` };
    const choice = choiceOf(query);
    const read = await readSet(context, { game, segment }, choice);
    const { set, overview, entries, entryCount, sort, view } = read;
    const { page } = choice;
    if (page > 1 && entries.length === 0) throw notFound('The set has no such page.');
    const site = siteOf(context);
    const label = GAME_LABELS[set.game];
    const pages = Math.max(1, Math.ceil(entryCount / ENTRIES_A_PAGE));
    const ofPages = page === 1 ? '' : `, page ${page}`;
    const cards = cardsIn(overview.cardCount);
    return {
      title: `${set.setName}, ${label}${ofPages}`,
      description: `${set.setName} (${label}): ${cards}, ${ORDER_WORDS[sort]}, each with its printings and reference prices${ofPages}.`,
      path: addressOf(set.href, { page }),
      section: 'cards',
      // Other orders and parts show what the plain address shows.
      isHidden: isNarrowed(choice),
      hasBreadcrumbs: true,
      trail: [
        { name: 'Cards', href: '/card' },
        { name: label, href: `/card/${set.game}` },
        { name: set.setName, href: set.href },
      ],
      blocks:
        entries.length === 0
          ? []
          : [
              itemListBlock(
                site.baseUrl,
                `Cards of ${set.setName}`,
                entries.map(({ card }) => ({ name: lineOf(card), href: card.href })),
              ),
            ],
      alternates: [
        { type: 'text/markdown', href: `${set.href}.md` },
        { type: 'application/atom+xml', href: `${set.href}/feed.xml`, title: `Sales and moves of ${set.setName}` },
      ],
      shareImage: `${set.href}.png`,
      main: (
        <div class="wrap">
          <div class="page-head">
            <h1>
              <SetName set={set} />
            </h1>
            <p class="lead">
              {[label, set.setCode, set.language].filter(Boolean).join(' · ')} · <span class="number">{cards}</span>
              {overview.itemCount > overview.cardCount && (
                <>
                  {' '}
                  in <span class="number">{count(overview.itemCount)} printings</span>
                </>
              )}
            </p>
            <SetSummary overview={overview} movers={read.movers} lastSale={read.lastSale} />
          </div>
          {overview.itemCount === 0 ? (
            <p class="empty">
              No card of this set is in the catalog now. <a href={`/card/${set.game}`}>Other {label} sets</a>
            </p>
          ) : (
            <>
              <Choices href={set.href} choice={choice} sort={sort} view={view} overview={overview} />
              {entries.length === 0 && <p class="empty">No card of this set matches the filter.</p>}
              {entries.length > 0 && view === 'list' && (
                <SetTable
                  entries={entries}
                  href={set.href}
                  language={set.language}
                  choice={choice}
                  hasPrices={overview.pricedItemCount > 0}
                  pricedGrades={overview.worth.map(({ gradeKey }) => gradeKey)}
                />
              )}
              {view === 'pictures' && <CardTiles site={site} cards={entries.map(tileOf)} />}
              <Pages addressOfPage={(to) => addressOf(set.href, { ...choice, page: to })} page={page} pages={pages} />
            </>
          )}
        </div>
      ),
    };
  },
};

function tileOf(entry: ShownEntry) {
  return { ...entry.card, setName: null, note: foldedOf(entry) };
}

export function cardsIn(cards: number): string {
  return counted(cards, 'card');
}
