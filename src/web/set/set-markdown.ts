import { GAME_LABELS } from '../../catalog/games.ts';
import { lastCloseMs } from '../../pricing/read/last-close.ts';
import { factsOf, gradeName } from '../card/card-facts.ts';
import { priceDayOf } from '../format.ts';
import { dayOrDash, escaped, priceOrNone, saleOrDash } from '../markdown-text.ts';
import { canonicalSegment, type Page } from '../page.ts';
import { readSet } from './read-set.ts';
import { cardsIn, ORDER_WORDS } from './set.tsx';
import { choiceOf } from './set-choice.ts';
import { foldedOf } from './set-table.tsx';

/** `/card/{game}/{set}.md`: the first cards of the set's page as Markdown. */
export const setMarkdown: Page = {
  path: '/card/:game/:set.md',
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context, { params }) {
    const [game, segment] = [canonicalSegment(params.game!), canonicalSegment(params.set!)];
    if (game !== params.game || segment !== params.set) return { movedTo: `/card/${game}/${segment}.md` };
    const choice = choiceOf(new URLSearchParams());
    const { set, entries, entryCount, sort } = await readSet(context, { game, segment }, choice);
    const closedAtMs = await lastCloseMs(context.db);
    const { baseUrl } = context.config;
    const rows = entries.map((entry) => {
      const { name, href, gradeLabel, priceUsdCents, lastSale } = entry.card;
      const facts = [factsOf({ ...entry.card, setName: null }), foldedOf(entry)].filter(Boolean).join('; ');
      const priced = priceUsdCents === null ? null : (priceDayOf(entry.card, closedAtMs)?.iso ?? null);
      return `| [${escaped(name)}](${href}.md) | ${escaped(facts)} | ${gradeLabel === null ? '–' : gradeName(gradeLabel)} | ${priceOrNone(priceUsdCents)} | ${dayOrDash(priced)} | ${saleOrDash(lastSale)} |`;
    });
    const pageUrl = baseUrl + set.href;
    const shown = entryCount > entries.length ? `, the first ${entries.length} here` : '';
    const body = [
      `# ${escaped(set.setName)}, ${GAME_LABELS[set.game]}`,
      '',
      `${cardsIn(entryCount)}, ${ORDER_WORDS[sort]}${shown}.`,
      '',
      ...(rows.length === 0
        ? []
        : [
            '| Card | Which | Grade | Reference price | As of | Last sale where there is no price |',
            '|---|---|---|--:|---|---|',
            ...rows,
            '',
          ]),
      `[Page](${pageUrl}) · [Data](${baseUrl}/v1/sets/${set.game}/${set.setSegment})`,
      '',
    ].join('\n');
    return { body, canonical: pageUrl };
  },
};
