import { GAME_LABELS } from '../../catalog/games.ts';
import { cardsOfSet } from '../../items/sets/set-cards.ts';
import { setAt } from '../../items/sets/sets.ts';
import { factsOf } from '../card/card-facts.ts';
import { dayOrDash, escaped, priceOrNone } from '../markdown-text.ts';
import { canonicalSegment, type Page } from '../page.ts';
import { CARDS_A_PAGE, cardsIn } from './set.tsx';

/** `/card/{game}/{set}.md`: the set's cards with the highest prices as Markdown. */
export const setMarkdown: Page = {
  path: '/card/:game/:set.md',
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context, { params }) {
    const [game, segment] = [canonicalSegment(params.game!), canonicalSegment(params.set!)];
    if (game !== params.game || segment !== params.set) return { movedTo: `/card/${game}/${segment}.md` };
    const { db, config } = context;
    const set = await setAt(db, game, segment);
    const order = { setId: set.id, sort: 'price', language: null } as const;
    const { cards, cardCount } = await cardsOfSet(context, order, { offset: 0, count: CARDS_A_PAGE });
    const rows = cards.map((card) => {
      const { name, href, gradeLabel, priceUsdCents, updatedAt } = card;
      const facts = escaped(factsOf({ ...card, setName: null }));
      const priced = priceUsdCents === null ? null : updatedAt;
      return `| [${escaped(name)}](${href}.md) | ${facts} | ${gradeLabel ?? '–'} | ${priceOrNone(priceUsdCents)} | ${dayOrDash(priced)} |`;
    });
    const pageUrl = config.baseUrl + set.href;
    const body = [
      `# ${escaped(set.setName)}, ${GAME_LABELS[set.game]}`,
      '',
      cardsIn(cardCount) +
        (cardCount > cards.length ? `, the ${cards.length} with the highest prices here.` : ', highest price first.'),
      '',
      ...(rows.length === 0
        ? []
        : ['| Card | Which | Grade | Reference price | As of |', '|---|---|---|--:|---|', ...rows, '']),
      `[Page](${pageUrl}) · [Data](${config.baseUrl}/v1/sets/${set.game}/${set.setSegment})`,
      '',
    ].join('\n');
    return { body, canonical: pageUrl };
  },
};
