import { gradeByKey } from '../../catalog/grades.ts';
import { readDetail } from '../../items/detail.ts';
import { overviewOf } from '../../items/overview.ts';
import { assertInCatalog } from '../../items/withdrawn.ts';
import { counted } from '../../lib/counted.ts';
import { type ItemPrices, readItemPrices } from '../../pricing/read/item-prices.ts';
import { newestTrades } from '../../sales/ledger.ts';
import { readImage } from '../../vision/pictures/image-store.ts';
import { locateCard } from '../card/card.tsx';
import { factsOf, gradeName } from '../card/card-facts.ts';
import { type ItemDetail, lastSaleOf } from '../card/card-price.tsx';
import { amountOf, detailDayText, gameLabel } from '../card/card-words.ts';
import { readSeriesHistory } from '../card/history/card-history.ts';
import type { WebContext } from '../context.ts';
import { briefDay, count, usd } from '../format.ts';
import type { Page } from '../page.ts';
import { drawn, lines, MUTED, shareDrawing, text } from './share-drawing.ts';
import { shareLine } from './share-line.ts';

/** `/card/{game}/{set}/{card}.png`: a picture of the card and its price for shared links, 1200 × 630. */
export const cardImage: Page = {
  path: '/card/:game/:set/:card.png',
  type: 'image/png',
  maxAgeSeconds: 300,
  async answer(context, { params }) {
    const found = await locateCard(context, params, '.png');
    if ('movedTo' in found) return found;
    const { item, gradeKey } = found;
    await assertInCatalog(context.db, item);
    const prices = await readItemPrices(context.db, item.id);
    const { body: card } = await readDetail(context, found, prices);
    const price =
      gradeKey === null
        ? gradesPart(overviewOf(item, prices.quotes).grades)
        : await gradePart(context, prices, card, gradeKey);
    const kept = item.image_url === null ? null : await readImage(context.config.dataDir, item.image_url);
    const svg = shareDrawing(context.config, [
      kept === null ? blankCard(card.printedNumber) : '',
      ...headPart(card),
      ...price,
    ]);
    return { body: await drawn(svg, kept === null ? [] : [{ picture: kept, ...PICTURE }]) };
  },
};

const PICTURE = { left: 72, top: 84, width: 331, height: 462 };
const LEFT = 460;
const LINE_BOX = { left: LEFT, top: 440, width: 660, height: 110 };
const YEAR_DAYS = 365;
const BOLD = 'font-weight="700"';
const GREEN = 'fill="#0a6350" font-weight="600"';

/** Which card it is. */
function headPart(card: ItemDetail): string[] {
  const name = lines(card.name, 27, 2);
  return [
    text(LEFT, 104, 24, gameLabel(card.game), GREEN),
    ...name.map((line, at) => text(LEFT, 160 + at * 56, 50, line, BOLD)),
    text(LEFT, 150 + name.length * 56, 26, lines(factsOf(card), 50, 1)[0] ?? '', MUTED),
  ];
}

/** The price at one grade with its range and a year of it; without a price, the last sale. */
async function gradePart(
  context: WebContext,
  prices: ItemPrices,
  card: ItemDetail,
  gradeKey: string,
): Promise<string[]> {
  const label = text(LEFT, 318, 26, gradeName(gradeByKey(gradeKey)!.label), GREEN);
  const { priceUsdCents, priceRangeUsdCents: range } = card;
  if (priceUsdCents === null)
    return [label, ...(card.reason === undefined ? await lastSalePart(context, prices.itemId, gradeKey) : WITHHELD)];
  const { line } = await readSeriesHistory(context.db, prices, gradeKey, YEAR_DAYS);
  const facts = [range === null ? '' : `80% range ${usd(range.low)} to ${usd(range.high)}`, detailDayText(card)];
  return [
    label,
    text(LEFT, 382, 66, usd(priceUsdCents), BOLD),
    text(LEFT, 418, 24, facts.filter(Boolean).join(' · '), MUTED),
    shareLine(line, LINE_BOX),
  ];
}

const NO_PRICE = text(LEFT, 384, 48, 'No reference price', BOLD);
/** Sales that may be of another card do not stand in for a price. */
const WITHHELD = [NO_PRICE, text(LEFT, 426, 24, 'Withheld: its sales may be those of another card', MUTED)];

/** The newest accepted sale among the newest of all. */
const READ_SALES = 20;

async function lastSalePart({ db, fingerprint }: WebContext, itemId: string, gradeKey: string): Promise<string[]> {
  const { trades } = await newestTrades(db, { itemId, gradeKey, limit: READ_SALES }, fingerprint);
  const last = lastSaleOf({ trades });
  if (last === null) return [NO_PRICE, text(LEFT, 426, 24, 'Too few recorded sales', MUTED)];
  return [
    text(LEFT, 384, 66, amountOf(last), BOLD),
    text(LEFT, 424, 24, `Last sale, ${briefDay(last.observedAt)} · ${last.displayName}`, MUTED),
    text(LEFT, 460, 24, 'No reference price', MUTED),
  ];
}

const SHOWN_GRADES = 5;

/** The highest prices over the grades of a card. */
function gradesPart(grades: ReturnType<typeof overviewOf>['grades']): string[] {
  const priced = grades.filter(({ priceUsdCents }) => priceUsdCents !== null);
  const more = priced.length - SHOWN_GRADES;
  const title =
    priced.length === 0 ? 'No reference price at any grade' : `Prices of ${counted(priced.length, 'grade')}`;
  return [
    text(LEFT, 318, 26, title, GREEN),
    ...priced
      .slice(0, SHOWN_GRADES)
      .flatMap(({ gradeLabel, priceUsdCents }, at) => [
        text(LEFT, 366 + at * 42, 30, gradeName(gradeLabel!), ''),
        text(LEFT + 420, 366 + at * 42, 30, usd(priceUsdCents!), `${BOLD} text-anchor="end"`),
      ]),
    ...(more > 0 ? [text(LEFT + 460, 366 + (SHOWN_GRADES - 1) * 42, 24, `and ${count(more)} more`, MUTED)] : []),
  ];
}

function blankCard(number: string | null): string {
  const { left, top, width, height } = PICTURE;
  return [
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" rx="16" fill="#fff" stroke="#b9bab2" stroke-width="2"/>`,
    `<rect x="${left + 24}" y="${top + 24}" width="${width - 48}" height="226" rx="6" fill="#f2f1ec" stroke="#b9bab2" stroke-width="2"/>`,
    `<path d="M${left + 110} ${top + 250}a55.5 55.5 0 0 1 111 0z" fill="#0a6350"/>`,
    ...[290, 320, 350].map(
      (y) => `<path d="M${left + 24} ${top + y}h${width - 48}" stroke="#dfded7" stroke-width="2"/>`,
    ),
    text(left + width - 24, top + height - 28, 26, (number ?? '').slice(0, 9), 'text-anchor="end" fill="#505b5d"'),
  ].join('');
}
