import { type Company, gradeOf } from '../../catalog/grades.ts';
import { correctionsPage } from '../../items/corrections/corrections-page.ts';
import { readDetail } from '../../items/detail.ts';
import type { Explained } from '../../items/explained.ts';
import type { ItemRow } from '../../items/item-row.ts';
import { type LastSale, withLastSales } from '../../items/last-sales.ts';
import type { Located } from '../../items/locate/locate.ts';
import { overview } from '../../items/overview.ts';
import { asOfDay } from '../../items/parameters/as-of.ts';
import type { CardSummary } from '../../items/summary.ts';
import { replacementOf } from '../../items/withdrawn.ts';
import { formatDay } from '../../lib/day.ts';
import { readItemPrices } from '../../pricing/read/item-prices.ts';
import { newestTrades, type TradeRow } from '../../sales/ledger.ts';
import type { WebContext } from '../context.ts';
import { cardCorrections } from '../corrections/corrections-markdown.ts';
import { briefDay, usdToTheCent, wholePercent, wholePercents } from '../format.ts';
import { dayOrDash, escaped, movesOf, priceOrNone, saleOrDash } from '../markdown-text.ts';
import type { Page } from '../page.ts';
import { currencyOffer } from '../quote/conversion.ts';
import { convertedWords, spanWords } from '../quote/converted-words.ts';
import { locateCard } from './card.tsx';
import { gradeName, lineOf } from './card-facts.ts';
import { SHOWN_CORRECTIONS } from './card-frame.tsx';
import { lastSaleOf } from './card-price.tsx';
import {
  amountOf,
  apiPath,
  basisOf,
  CONFIDENCE_NAMES,
  closeOf,
  hasDearerSales,
  OF_AUCTIONS,
  populationWords,
  standingOf,
  unconfirmedWords,
  whyUnpriced,
} from './card-words.ts';

const SHOWN_SALES = 20;

/** `/card/{game}/{set}/{card}.md`: the card's page as Markdown; with `?on=`, that of a past day. */
export const cardMarkdown: Page = {
  path: '/card/:game/:set/:card.md',
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context, { params, query }) {
    const found = await locateCard(context, params, '.md');
    if ('movedTo' in found) return found;
    if (found.item.removed_at !== null) return withdrawn(context, found.item, found.item.removed_at);
    return found.gradeKey === null ? ofOverview(context, found, query) : ofGrade(context, found, query);
  },
};

async function withdrawn({ db }: WebContext, item: ItemRow, removedAt: Date) {
  const replacedBy = await replacementOf(db, item);
  const next = replacedBy === null ? 'No card took its place.' : `[This card](${replacedBy}.md) took its place.`;
  const body = `# ${escaped(item.name)} was withdrawn\n\nIt was removed from the catalog on ${briefDay(removedAt.toISOString())}. ${next}\n`;
  return { status: 410 as const, body };
}

async function ofGrade(context: WebContext, located: Located, query: URLSearchParams) {
  const { item } = located;
  const gradeKey = located.gradeKey!;
  const asOf = await asOfDay(context.db, query.get('on') ?? undefined, 'on');
  const [onDay, ofDay] = asOf === null ? ['', ''] : [`?on=${formatDay(asOf)}`, `?asOf=${formatDay(asOf)}`];
  const prices = await readItemPrices(context.db, item.id, { asOf });
  const [{ body: card }, recorded, { corrections }] = await Promise.all([
    readDetail(context, located, prices),
    asOf === null
      ? newestTrades(context.db, { itemId: item.id, gradeKey, limit: SHOWN_SALES }, context.fingerprint)
      : { trades: [], total: 0 },
    correctionsPage(context, { item, limit: SHOWN_CORRECTIONS }),
  ]);
  const { priceUsdCents, priceRangeUsdCents: range, nextSaleRangeUsdCents: next, updatedAt, deltas } = card;
  const { confidence, confidenceScore } = card;
  const closed = closeOf(card);
  const slabs = populationWords(card);
  const move = prices.quotes.find((quote) => quote.gradeKey === gradeKey)?.unconfirmedMove ?? null;
  const { conversion } = await currencyOffer(context.db, query, card.asOf);
  const priced = [
    `- Reference price: **${priceOrNone(priceUsdCents)}** ${closed === null ? `as of ${dayOrDash(updatedAt)}` : `close of ${briefDay(closed)} (UTC)`}`,
    conversion === null ? '' : `- In ${conversion.currency}: ${convertedWords(conversion, priceUsdCents!, range)}`,
    move === null ? '' : `- Unconfirmed: ${unconfirmedWords(move, usdToTheCent)}`,
    range === null ? '' : `- 80% range of the value: ${usdToTheCent(range.low)} to ${usdToTheCent(range.high)}`,
    next === null ? '' : `- 80% range of the next sale: ${usdToTheCent(next.low)} to ${usdToTheCent(next.high)}`,
    confidence === null
      ? ''
      : `- Confidence: ${CONFIDENCE_NAMES[confidence]}, ${confidenceScore} (the chance that the true value is within 15% of the price)`,
    `- Moves: ${movesOf(deltas)}`,
    `- Based on: ${basisOf(card)}`,
  ];
  const audit = card.reason === undefined ? '' : ' [The audit](/audit.md) has the evidence.';
  const unpriced = [`- No reference price. ${whyUnpriced(card, recorded.total)}${audit}`];
  const body = [
    `# ${escaped(`${lineOf(card)}, ${gradeName(card.gradeLabel!)}`)}`,
    '',
    ...(priceUsdCents === null ? unpriced : priced).filter(Boolean),
    `- Last sale: ${lastSaleWords(card.lastSaleAt, lastSaleOf(recorded))}`,
    ...(slabs === null ? [] : [`- Slabs: ${slabs}`]),
    '',
    ...madeOf(card.explanation),
    ...gradesOf(card.otherGrades, onDay),
    ...salesOfCard(recorded.trades, recorded.total),
    ...cardCorrections(corrections),
    `[Page](${card.pageUrl}${onDay}) · [Data](${context.config.baseUrl}${apiPath(card.href)}${ofDay}) · ${escaped(card.attribution.text)}`,
    '',
  ].join('\n');
  return { body, canonical: card.pageUrl + onDay };
}

/** `$1,200.00 on 9 Sep 2025 (Fanatics Collect)` */
function lastSaleWords(at: string | null, sale: ReturnType<typeof lastSaleOf>): string {
  return sale === null
    ? dayOrDash(at)
    : `${usdToTheCent(sale.priceUsdCents)} on ${briefDay(sale.observedAt)} (${escaped(sale.displayName)})`;
}

function madeOf(explanation: Explained | null): string[] {
  if (explanation === null) return [];
  const { ownSales, otherGrades, setAndGame } = explanation.shares;
  const [own, others, usual] = wholePercents([ownSales, otherGrades, setAndGame]);
  const rows = explanation.sales.map(
    ({ soldAt, gradeLabel, priceUsdCents, priceBeforeUsdCents, influence, voided }) =>
      `| ${briefDay(soldAt)} | ${gradeName(gradeLabel)} | ${usdToTheCent(priceUsdCents)}${voided ? ', voided since' : ''} | ${priceOrNone(priceBeforeUsdCents)} | ${wholePercent(influence)} |`,
  );
  return [
    '## What this price is made of',
    '',
    `Own sales ${own}%, other grades ${others}%, set and game ${usual}%.`,
    '',
    ...(hasDearerSales(explanation.sales)
      ? [`${OF_AUCTIONS} ([where it was sold](/methodology#where-it-was-sold)).`, '']
      : []),
    ...['| Day | Grade | Sold for | Price before | Share |', '|---|---|--:|--:|--:|', ...rows, ''],
  ];
}

async function ofOverview(context: WebContext, located: Located, query: URLSearchParams) {
  const { id } = located.item;
  const [{ body: card }, recorded, { corrections }] = await Promise.all([
    overview.view(context, located, {}),
    newestTrades(context.db, { itemId: id, gradeKey: null, limit: SHOWN_SALES }, context.fingerprint),
    correctionsPage(context, { item: located.item, limit: SHOWN_CORRECTIONS }),
  ]);
  const grades = await withLastSales(
    context.db,
    card.grades.map((one) => ({ ...one, id })),
  );
  const priced = card.grades.filter((one) => one.priceUsdCents !== null);
  const { conversion } = await currencyOffer(context.db, query, priced[0]?.asOf ?? null);
  const pageUrl = context.config.baseUrl + card.href;
  const body = [
    `# ${escaped(lineOf(card))}`,
    '',
    ...(conversion === null ? [] : [`In ${conversion.currency}: ${spanWords(conversion, priced)}`, '']),
    ...gradesOf(grades),
    ...salesOfCard(recorded.trades, recorded.total),
    ...cardCorrections(corrections),
    `[Page](${pageUrl}) · [Data](${context.config.baseUrl}${apiPath(card.href)}/overview) · ${escaped(card.attribution.text)}`,
    '',
  ].join('\n');
  return { body, canonical: pageUrl };
}

type Grade = Pick<CardSummary, 'company' | 'grade' | 'gradeLabel' | 'priceUsdCents' | 'lastSaleAt' | 'href'> & {
  lastSale?: LastSale;
};

const COMPANIES: readonly Company[] = ['PSA', 'BGS', 'CGC', 'RAW'];

/** By company, the best grade first; `onDay` is the query of a past day. */
function gradesOf(grades: readonly Grade[], onDay = ''): string[] {
  if (grades.length === 0) return ['There is no accepted sale at any grade.', ''];
  const rankOf = ({ company, grade }: Grade) => gradeOf(company!, grade!)!.rank;
  const inOrder = grades.toSorted(
    (a, b) => COMPANIES.indexOf(a.company!) - COMPANIES.indexOf(b.company!) || rankOf(b) - rankOf(a),
  );
  const rows = inOrder.map(
    ({ gradeLabel, priceUsdCents, lastSaleAt, href, lastSale }) =>
      `| [${gradeName(gradeLabel!)}](${href}.md${onDay}) | ${priceOrNone(priceUsdCents)} | ${lastSale === undefined ? dayOrDash(lastSaleAt) : saleOrDash(lastSale)} |`,
  );
  return ['## All grades', '', '| Grade | Reference price | Last sale |', '|---|--:|---|', ...rows, ''];
}

function salesOfCard(trades: readonly TradeRow[], total: number): string[] {
  if (total === 0) return [];
  const rows = trades.map(
    (trade) =>
      `| ${briefDay(trade.observedAt)} | ${escaped(gradeName(trade.gradeLabel))} | ${amountOf(trade, usdToTheCent)} | ${escaped(trade.displayName)} | ${escaped(standingOf(trade))} |`,
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
