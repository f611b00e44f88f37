import type { Context } from '../http/context.ts';
import { detail } from '../items/detail.ts';
import type { Located } from '../items/locate.ts';
import { overview } from '../items/overview.ts';
import { trades } from '../items/trades.ts';
import type { TradeRow } from '../sales/ledger.ts';
import { locateCard } from './card.tsx';
import { amountOf, apiPath, CONFIDENCE_NAMES, lineOf, standingOf, whyUnpriced } from './card-words.ts';
import { briefDay, percentMove, usd } from './format.ts';
import { dayOrDash, escaped } from './markdown-text.ts';
import type { Page } from './page.ts';

const SHOWN_SALES = '20';

/** `/card/{game}/{set}/{card}.md`: what the card's page says, as Markdown. */
export const cardMarkdown: Page = {
  path: '/card/:game/:set/:card.md',
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context, { params }) {
    const found = await locateCard(context, params, '.md');
    if ('movedTo' in found) return found;
    if (found.item.removed_at !== null) return { status: 410, body: '# Withdrawn\n\nThis card left the catalog.\n' };
    return found.gradeKey === null ? ofOverview(context, found) : ofGrade(context, found);
  },
};

async function ofGrade(context: Context, located: Located) {
  const [{ body: card, lastModifiedMs }, { body: recorded }] = await Promise.all([
    detail.view(context, located, {}),
    trades.view(context, located, { scope: 'grade', limit: SHOWN_SALES }),
  ]);
  const { priceUsdCents, priceRangeUsdCents: range, updatedAt, confidence, confidenceScore, deltas } = card;
  const moves = Object.entries(deltas).map(
    ([days, move]) => `${days.slice(1)} days ${move === null ? 'unknown' : percentMove(move)}`,
  );
  const priced = [
    `- Reference price: **${usd(priceUsdCents ?? 0)}** as of ${dayOrDash(updatedAt)}`,
    range === null ? '' : `- 80 % range: ${usd(range.low)} to ${usd(range.high)}`,
    confidence === null
      ? ''
      : `- Confidence: ${CONFIDENCE_NAMES[confidence]}, ${confidenceScore} (the chance that the true value lies within 15 % of the price)`,
    `- Moves: ${moves.join(', ')}`,
    card.estimated ? '- Estimated: no sale at this grade is recorded.' : '',
  ];
  const unpriced = [`- No reference price. ${whyUnpriced(card, recorded.total)}`];
  const body = [
    `# ${escaped(`${lineOf(card)}, ${card.gradeLabel}`)}`,
    '',
    ...(priceUsdCents === null ? unpriced : priced).filter(Boolean),
    `- Last sale: ${dayOrDash(card.lastSaleAt)}`,
    '',
    ...gradesOf(card.otherGrades),
    ...salesOfCard(recorded.trades, recorded.total),
    `[Page](${card.pageUrl}) · [Data](${context.config.baseUrl}${apiPath(card.href)}) · ${escaped(card.attribution.text)}`,
    '',
  ].join('\n');
  return { body, lastModifiedMs, canonical: card.pageUrl };
}

async function ofOverview(context: Context, located: Located) {
  const [{ body: card, lastModifiedMs }, { body: recorded }] = await Promise.all([
    overview.view(context, located, {}),
    trades.view(context, located, { scope: 'all', limit: SHOWN_SALES }),
  ]);
  const pageUrl = context.config.baseUrl + card.href;
  const body = [
    `# ${escaped(lineOf(card))}`,
    '',
    ...gradesOf(card.grades),
    ...salesOfCard(recorded.trades, recorded.total),
    `[Page](${pageUrl}) · [Data](${context.config.baseUrl}${apiPath(card.href)}/overview) · ${escaped(card.attribution.text)}`,
    '',
  ].join('\n');
  return { body, lastModifiedMs, canonical: pageUrl };
}

type Grade = { gradeLabel: string | null; priceUsdCents: number | null; lastSaleAt: string | null; href: string };

function gradesOf(grades: readonly Grade[]): string[] {
  if (grades.length === 0) return ['No sale is recorded at any grade.', ''];
  const rows = grades.map(
    ({ gradeLabel, priceUsdCents, lastSaleAt, href }) =>
      `| [${gradeLabel}](${href}.md) | ${priceUsdCents === null ? 'no price' : usd(priceUsdCents)} | ${dayOrDash(lastSaleAt)} |`,
  );
  return ['## All grades', '', '| Grade | Reference price | Last sale |', '|---|--:|---|', ...rows, ''];
}

function salesOfCard(trades: readonly TradeRow[], total: number): string[] {
  if (total === 0) return [];
  const rows = trades.map(
    (trade) =>
      `| ${briefDay(trade.observedAt)} | ${escaped(trade.gradeLabel)} | ${amountOf(trade)} | ${escaped(trade.displayName)} | ${escaped(standingOf(trade))} |`,
  );
  return [
    `## Recorded sales, the newest ${trades.length} of ${total}`,
    '',
    '| Day | Grade | Price | Where | In the price |',
    '|---|---|--:|---|---|',
    ...rows,
    '',
  ];
}
