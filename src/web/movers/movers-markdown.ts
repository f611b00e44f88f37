import { gradeName, lineOf } from '../card/card-facts.ts';
import { salesOf } from '../card/card-words.ts';
import { percentMove, usdToTheCent } from '../format.ts';
import { escaped, priceOrNone } from '../markdown-text.ts';
import type { Page } from '../page.ts';
import { moversTitle } from './movers.tsx';
import { moversAddress, moversChoiceOf, readMovers } from './read-movers.ts';

/** `/movers.md`: a page of movers as Markdown. */
export const moversMarkdown: Page = {
  path: '/movers.md',
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context, { query }) {
    const choice = moversChoiceOf(query);
    const { cards } = await readMovers(context, choice);
    const rows = cards.map(
      (card) =>
        `| [${escaped(lineOf(card))}](${card.href}.md) | ${gradeName(card.gradeLabel!)} | ${percentMove(card.movePct)} | ${priceOrNone(card.priceUsdCents)} | ${salesOf(card.saleCount)}, last ${usdToTheCent(card.lastSaleUsdCents)} |`,
    );
    const pageUrl = context.config.baseUrl + moversAddress(choice);
    const body = [
      `# ${moversTitle(choice)}`,
      '',
      ...(rows.length === 0
        ? ['No card has moved on its own sales in this period.', '']
        : ['| Card | Grade | Move | Price | Based on |', '|---|---|--:|--:|---|', ...rows, '']),
      `[Page](${pageUrl}) · [Data](${context.config.baseUrl}/v1/items/featured)`,
      '',
    ].join('\n');
    return { body, canonical: pageUrl };
  },
};
