import { GAME_LABELS, isGame } from '../../catalog/games.ts';
import type { GradedLookup } from '../../graded/shapes.ts';
import type { ItemRow } from '../../items/item-row.ts';
import type { CardSummary } from '../../items/summary.ts';
import { counted } from '../../lib/counted.ts';
import type { UnconfirmedMove } from '../../pricing/read/series-quote.ts';
import { briefDay, count, dayText, percentOf, usd } from '../format.ts';
import type { Crumb } from '../json-ld.ts';
import { type Conversion, convertedWords } from '../quote/converted-words.ts';
import type { Site } from '../site/site.ts';
import { gradeName, lineOf, type PrintingFacts } from './card-facts.ts';
import type { ItemDetail } from './card-price.tsx';

/** The wording of card pages; pure. */

type Named = PrintingFacts & Pick<CardSummary, 'game' | 'name'>;

export function gameLabel(game: string): string {
  return isGame(game) ? GAME_LABELS[game] : game;
}

/** The breadcrumbs of a card: its game, its set, the card, and the grade of the page, if any. */
export function trailOf(item: ItemRow, cardHref: string, grade?: Crumb): Crumb[] {
  return [
    { name: 'Cards', href: '/card' },
    { name: gameLabel(item.game), href: `/card/${item.game}` },
    { name: item.set_name, href: `/card/${item.game}/${item.set_segment}` },
    { name: item.number === null ? item.name : `${item.name} #${item.number}`, href: cardHref },
    ...(grade === undefined ? [] : [grade]),
  ];
}

export const CONFIDENCE_NAMES = { prime: 'Prime', high: 'High', medium: 'Medium', low: 'Low' } as const;

type Unpriced = { gradeLabel: string | null; totalObservationCount: number; reason?: CardSummary['reason'] };

/** Why a card has no price at a grade: `recordedSales` counts the rejected ones too. */
export function whyUnpriced({ gradeLabel, totalObservationCount, reason }: Unpriced, recordedSales: number): string {
  if (reason === 'identity_suspect') return 'The price is withheld: these sales may be those of another card.';
  if (gradeLabel === null) return 'There is no accepted sale of this card at any grade.';
  if (totalObservationCount > 0)
    return `${salesOf(totalObservationCount)} at ${gradeName(gradeLabel)}: too few, or too old, to give a useful price range.`;
  if (recordedSales === 1)
    return `The only recorded sale at ${gradeName(gradeLabel)} was rejected; see the reason below.`;
  if (recordedSales > 1)
    return `All ${count(recordedSales)} recorded sales at ${gradeName(gradeLabel)} were rejected; see the reasons below.`;
  return `No ${gradeName(gradeLabel)} sales recorded.`;
}

export function salesOf(n: number): string {
  return counted(n, 'sale');
}

type Based = Pick<CardSummary, 'estimated'> & {
  observationCount: number;
  observationWindowDays: number;
  totalObservationCount: number;
};

/** The sales that a price is based on: `3 sales in the past year, 7 in total`. */
export function basisOf({ estimated, observationCount, observationWindowDays, totalObservationCount }: Based): string {
  if (estimated)
    return 'Estimated: there is no accepted sale at this grade. Priced from the card’s other grades and its market.';
  const period = `in the past ${observationWindowDays === 365 ? 'year' : `${observationWindowDays} days`}`;
  return observationCount === totalObservationCount && observationCount > 1
    ? `${salesOf(observationCount)}, all ${period}`
    : `${salesOf(observationCount)} ${period}, ${count(totalObservationCount)} in total`;
}

/** Whether a price is made of sales at which a buyer pays more than at an auction: a price below them looks like a fault. */
export function hasDearerSales(sales: readonly { saleType: string | null }[]): boolean {
  return sales.some(({ saleType }) => saleType === 'shop' || saleType === 'fixed');
}

/** What is said of such a price. */
export const OF_AUCTIONS = 'Our prices are those of auctions: what a shop or a fixed price usually adds is taken off';

const NUMBERS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine'];

/** What moved a price that no second sale has confirmed: `One sale on 20 Nov 2026 moved this price from $424 to $1,093. …` */
export function unconfirmedWords(move: UnconfirmedMove, dollars = usd): string {
  const { saleCount, days, sources, fromUsdCents, toUsdCents } = move;
  const sales = `${NUMBERS[saleCount] ?? count(saleCount)} ${saleCount === 1 ? 'sale' : 'sales'}`;
  const [first, last] = [days[0], days.at(-1)].map((one) => one !== undefined && dayText(one));
  const on = !first ? '' : first === last ? ` on ${first}` : ` from ${first} to ${last}`;
  const source = saleCount > 1 && sources === 1 ? ', all from one source,' : '';
  const missing = saleCount === 1 ? 'No second sale has' : 'No sale of another source or day has';
  return `${sales}${on}${source} moved this price from ${dollars(fromUsdCents)} to ${dollars(toUsdCents)}. ${missing} confirmed it yet.`;
}

/** The day, `YYYY-MM-DD`, whose close published the price; null for a price that sales have moved since. */
export function closeOf({ receiptUrl }: { receiptUrl: string | null }): string | null {
  return receiptUrl?.slice(-'YYYY-MM-DD'.length) ?? null;
}

/** The day of a price in words: `close of 24 Nov 2026`; `as of` the day it was computed, for one that sales have moved since. */
export function detailDayText(card: { receiptUrl: string | null; updatedAt: string | null }): string {
  const closed = closeOf(card);
  if (closed !== null) return `close of ${briefDay(closed)}`;
  return card.updatedAt === null ? '' : `as of ${briefDay(card.updatedAt)}`;
}

type Cited = Named &
  Pick<CardSummary, 'gradeLabel' | 'priceUsdCents' | 'priceRangeUsdCents' | 'updatedAt' | 'href'> & {
    receiptUrl: string | null;
  };

/**
 * A price to be cited: `Charizard, Pokémon Base Set #4 Shadowless, PSA 10: $23,061 (80% range $18,899–$28,141), close of 21 Nov
 * 2026. Mintmark, https://…?on=2026-11-21`. One that sales have moved since says as of when it is; a converted one also has the
 * amounts in the other currency and the rate. Null without a price.
 */
export function citationOf(
  card: Cited,
  { name: service, baseUrl }: Pick<Site, 'name' | 'baseUrl'>,
  conversion: Conversion | null = null,
): string | null {
  const { name, game, setName, printedNumber, variation, gradeLabel, priceUsdCents, priceRangeUsdCents: range } = card;
  if (priceUsdCents === null || range === null) return null;
  const closed = closeOf(card);
  const number = printedNumber === null ? null : `#${printedNumber}`;
  const language = card.language === 'English' ? null : card.language;
  const which = [gameLabel(game), setName, number, variation, language].filter((one) => one !== null).join(' ');
  const price = `${usd(priceUsdCents)} (80% range ${usd(range.low)}–${usd(range.high)})`;
  const converted = conversion === null ? '' : `; ${convertedWords(conversion, priceUsdCents, range)}`;
  return `${name}, ${which}, ${gradeName(gradeLabel!)}: ${price}, ${detailDayText(card)}${converted}. ${service}, ${baseUrl}${card.href}${closed === null ? '' : `?on=${closed}`}`;
}

type Described = Named &
  Pick<CardSummary, 'gradeLabel' | 'priceUsdCents' | 'priceRangeUsdCents' | 'updatedAt' | 'lastSaleAt'> & {
    receiptUrl: string | null;
  };

/** One or two sentences for search engines and shared links. */
export function descriptionOf(card: Described): string {
  const line = `${lineOf(card)}${card.gradeLabel === null ? '' : ` in ${gradeName(card.gradeLabel)}`}`;
  const { priceUsdCents, priceRangeUsdCents: range, lastSaleAt } = card;
  if (priceUsdCents !== null && range !== null)
    return `${line}: reference price ${usd(priceUsdCents)}, ${detailDayText(card)}, 80% range ${usd(range.low)} to ${usd(range.high)}. Sales, chart and every grade.`;
  if (lastSaleAt !== null)
    return `${line}: no reference price; last sold on ${briefDay(lastSaleAt)}. Sales and every grade.`;
  return `${line}: no accepted sale at this grade. Other grades, languages and printings.`;
}

const REASONS: Record<string, string> = {
  outlier: 'far from the expected price',
  duplicate: 'duplicate, same sale from another source',
  lot: 'a lot of several cards',
  not_card: 'not the genuine card',
  hidden_price: 'a best offer whose price is not known',
  fx_missing: 'no exchange rate for its day',
  absurd_price: 'an absurd price',
  too_late: 'became known over a year late',
  company_unsupported: 'unsupported grader',
  grade_unsupported: 'a grade outside the scale',
  voided: 'canceled',
  unpaid: 'never paid',
  relisted: 'relisted',
  future: 'future date',
};

type Disposition = { disposition: 'used' | 'downweighted' | 'refused'; dispositionReason: string | null };

/** Why a sale or row is in no price, or counts less, in a few words. */
export function rejectionWords(reason: string): string {
  return REASONS[reason] ?? reason.replaceAll('_', ' ');
}

/** The state of a sale: counted, down-weighted or rejected, and why. */
export function standingOf({ disposition, dispositionReason }: Disposition): string {
  if (disposition === 'used') return 'Counted';
  const why = dispositionReason === null ? 'no reason given' : rejectionWords(dispositionReason);
  return `${disposition === 'refused' ? 'Rejected' : 'Down-weighted'}: ${why}`;
}

type Amount = { priceUsdCents: number | null; priceMinor: number; currency: string };

/** The price of a sale: in dollars, else in its currency. */
export function amountOf({ priceUsdCents, priceMinor, currency }: Amount, dollars = usd): string {
  if (priceUsdCents !== null) return dollars(priceUsdCents);
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.format(priceMinor / 10 ** format.resolvedOptions().maximumFractionDigits!);
}

/** Where the API has the data of a page. */
export function apiPath(href: string): string {
  return href.replace(/^\/card/, '/v1/items');
}

/** `1,425 of PSA, 121 of them in PSA 9 and 25 higher; 1.8% graded 10 (1.2% to 2.6%); 32 more since 1 May 2026; 10 Jun 2026`, or null. */
export function populationWords({ population, company, gradeLabel }: PopulationFacts): string | null {
  if (population === null || company === null || gradeLabel === null) return null;
  const { total, atGrade, higher, gemRate, asOf, growth } = population;
  const parts = [
    total === null
      ? `${count(atGrade)} in ${gradeLabel} and ${count(higher)} higher`
      : `${count(total)} of ${company}, ${count(atGrade)} of them in ${gradeLabel} and ${count(higher)} higher`,
    gemRate && `${shareText(gemRate.value)} graded 10 (${shareText(gemRate.low)} to ${shareText(gemRate.high)})`,
    growth && `${addedText(growth.added)} since ${briefDay(growth.since)}`,
    `as of ${briefDay(asOf)}`,
  ];
  return parts.filter((part) => part !== null).join('; ');
}

type PopulationFacts = Pick<ItemDetail, 'gradeLabel'> & {
  company: string | null;
  population: NonNullable<GradedLookup['population']> | null;
};

const shareText = (share: number) => percentOf(share * 100);

/** A report may have fewer than the one before: slabs are opened. */
function addedText(added: number): string {
  return added < 0 ? `${count(-added)} fewer` : `${count(added)} more`;
}
