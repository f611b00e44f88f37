import { GAME_LABELS } from '../../catalog/games.ts';
import { notFound } from '../../http/problem.ts';
import { cardsOfSet } from '../../items/sets/set-cards.ts';
import { setAt } from '../../items/sets/sets.ts';
import { lineOf } from '../card/card-words.ts';
import { count } from '../format.ts';
import { itemListBlock } from '../json-ld.ts';
import { Name } from '../name.tsx';
import { canonicalSegment, type Page } from '../page.ts';
import { siteOf } from '../site/site.ts';
import { CardTiles } from '../tile.tsx';
import { addressOf, Choices, choiceOf, Pages } from './set-choices.tsx';

export const CARDS_A_PAGE = 120;

/** `/card/{game}/{set}`: its cards, highest price first; `?sort=`, `?language=` and `?page=` choose others. */
export const setPage: Page = {
  path: '/card/:game/:set',
  maxAgeSeconds: 60,
  async answer(context, { params, query }) {
    const [game, segment] = [canonicalSegment(params.game!), canonicalSegment(params.set!)];
    if (game !== params.game || segment !== params.set) return { movedTo: `/card/${game}/${segment}` };
    const { db } = context;
    const set = await setAt(db, game, segment);
    const choice = choiceOf(query);
    const offset = (choice.page - 1) * CARDS_A_PAGE;
    const found = await cardsOfSet(
      context,
      { setId: set.id, sort: choice.sort, language: choice.language },
      { offset, count: CARDS_A_PAGE },
    );
    if (choice.page > 1 && found.cards.length === 0) throw notFound('The set has no such page.');
    const site = siteOf(context);
    const label = GAME_LABELS[set.game];
    const path = addressOf(set.href, { sort: 'price', language: null, page: choice.page });
    const pages = Math.max(1, Math.ceil(found.cardCount / CARDS_A_PAGE));
    const ofPages = choice.page === 1 ? '' : `, page ${choice.page}`;
    return {
      title: `${set.setName}, ${label}${ofPages}`,
      description: `${set.setName} (${label}): ${cardsIn(found.cardCount)}, highest price first, each with its reference price, its date and its move${ofPages}.`,
      path,
      section: 'cards',
      // Other orders and single languages show what the plain address shows.
      isHidden: choice.sort !== 'price' || choice.language !== null,
      hasBreadcrumbs: true,
      trail: [
        { name: 'Cards', href: '/card' },
        { name: label, href: `/card/${set.game}` },
        { name: set.setName, href: set.href },
      ],
      blocks:
        found.cards.length === 0
          ? []
          : [
              itemListBlock(
                site.baseUrl,
                `Cards of ${set.setName}`,
                found.cards.map((card) => ({ name: lineOf(card), href: card.href })),
              ),
            ],
      alternates: [{ type: 'text/markdown', href: `${set.href}.md` }],
      shareImage: `${set.href}.png`,
      main: (
        <div class="wrap">
          <div class="page-head">
            <h1>
              <Name language={set.language}>{set.setName}</Name>
            </h1>
            <p class="lead">
              {[label, set.setCode, set.language].filter(Boolean).join(' · ')} · {cardsIn(found.cardCount)}
            </p>
          </div>
          {found.cardCount === 0 ? (
            <p class="empty">
              No card of this set is in the catalog now. <a href={`/card/${set.game}`}>Other {label} sets</a>
            </p>
          ) : (
            <>
              <Choices href={set.href} choice={choice} languages={found.languages} />
              <CardTiles site={site} cards={found.cards.map((card) => ({ ...card, setName: null }))} />
              {pages > 1 && <Pages href={set.href} choice={choice} pages={pages} />}
            </>
          )}
        </div>
      ),
    };
  },
};

export function cardsIn(cards: number): string {
  return cards === 1 ? '1 card' : `${count(cards)} cards`;
}
