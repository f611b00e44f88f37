import { gradeName, lineOf } from '../card/card-facts.ts';
import { amountOf } from '../card/card-words.ts';
import { briefDay, usdToTheCent } from '../format.ts';
import { escaped } from '../markdown-text.ts';
import type { Page } from '../page.ts';
import { readSales, salesAddress, salesChoiceOf } from './read-sales.ts';
import { titleOf } from './sales.tsx';

/** `/sales.md`: the sales that `/sales` lists for the same choice, as Markdown. */
export const salesMarkdown: Page = {
  path: '/sales.md',
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context, { query }) {
    const choice = salesChoiceOf(query);
    const { sales } = await readSales(context, choice);
    const rows = sales.map(
      ({ trade, card }) =>
        `| [${escaped(lineOf(card))}](${card.href}.md) | ${gradeName(trade.gradeLabel)} | ${amountOf(trade, usdToTheCent)} | ${escaped(trade.displayName)} | ${briefDay(trade.observedAt)} |`,
    );
    const pageUrl = context.config.baseUrl + salesAddress(choice);
    const body = [
      `# ${titleOf(choice)}`,
      '',
      ...(rows.length === 0
        ? ['No sale matches.', '']
        : ['| Card | Grade | Price | Where | Day |', '|---|---|--:|---|---|', ...rows, '']),
      `[Page](${pageUrl}) · [Data](${context.config.baseUrl}/v1/trades/recent)`,
      '',
    ].join('\n');
    return { body, canonical: pageUrl };
  },
};
