import { gradeOf } from '../../catalog/grades.ts';
import type { featuredCards } from '../../items/featured.ts';
import { itemsByIds } from '../../items/item-row.ts';
import { type CardSummary, summariesOf } from '../../items/summary.ts';
import type { recentTradesOf } from '../../items/trades/recent-trades.ts';
import { readItemPrices } from '../../pricing/read/item-prices.ts';
import { gradeName } from '../card/card-facts.ts';
import { AND, Facts } from '../card/card-facts-line.tsx';
import { readSeriesHistory } from '../card/history/card-history.ts';
import { priceDrawing } from '../card/history/price-chart.tsx';
import { Name } from '../card/name.tsx';
import { CardArt } from '../card-picture.tsx';
import type { DrawingOf } from '../chart/chart.tsx';
import { Axis, Plot } from '../chart/plot.tsx';
import type { WebContext } from '../context.ts';
import { usd } from '../format.ts';
import { Move, PriceDate } from '../price.tsx';
import type { Site } from './site.ts';

const YEAR_DAYS = 365;

type Movers = Awaited<ReturnType<typeof featuredCards>>['body']['cards'];
type Sales = Awaited<ReturnType<typeof recentTradesOf>>['body']['trades'];

/** A card with its price and at most a year of it, to show what the site has. */
export type Hero = { card: CardSummary; drawing: DrawingOf };

/** The mover with the most sales; where no card has moved, the one that sold last and has a price; null without any. */
export async function heroOf(context: WebContext, movers: Movers, sales: Sales): Promise<Hero | null> {
  const byEvidence = movers.toSorted((a, b) => b.saleCount - a.saleCount);
  const card = byEvidence.find(hasRange) ?? (await soldOf(context, sales)).find(hasRange);
  if (card === undefined) return null;
  const gradeKey = gradeOf(card.company!, card.grade!)!.key;
  const prices = await readItemPrices(context.db, card.id);
  const year = await readSeriesHistory(context.db, prices, gradeKey, YEAR_DAYS);
  // A price that is younger has the whole width.
  const fromDay = Math.max(year.fromDay, year.line[0]?.day ?? 0);
  const drawing = priceDrawing({
    name: `${card.name}, ${gradeName(card.gradeLabel!)}`,
    window: fromDay > year.fromDay ? 'all' : '365',
    data: { ...year, fromDay },
    salesLeftOut: 0,
  });
  return drawing && { card, drawing };
}

function hasRange({ priceRangeUsdCents }: CardSummary): boolean {
  return priceRangeUsdCents !== null;
}

async function soldOf({ db }: WebContext, sales: Sales): Promise<CardSummary[]> {
  const items = await itemsByIds(db, [...new Set(sales.map(({ card }) => card.id))]);
  return summariesOf(db, items, { withTags: false });
}

/** The card as on its page: picture, price, range, and its sales as dots. */
export function HeroCard({ site, hero: { card, drawing } }: { site: Site; hero: Hero }) {
  const { priceUsdCents, priceRangeUsdCents: range, gradeLabel, deltaPct } = card;
  return (
    <figure class="hero chart">
      <div class="hero-head">
        <CardArt site={site} card={card} size="tile" />
        <div>
          <p class="hero-name">
            <a href={card.href}>
              <Name language={card.language}>{card.name}</Name>
            </a>
          </p>
          <p class="muted small">
            {gradeName(gradeLabel!)}
            {AND}
            <Facts card={card} />
          </p>
          <p class="hero-price">
            <strong>{usd(priceUsdCents!)}</strong>{' '}
            {deltaPct !== null && (
              <>
                <Move percent={deltaPct} over="7 days" />{' '}
                <span class="muted small" aria-hidden="true">
                  in 7 days
                </span>
              </>
            )}
          </p>
          <p class="muted small">
            80% range {usd(range!.low)} to {usd(range!.high)}, <PriceDate price={card} />
          </p>
        </div>
      </div>
      <div class="chart-plot">
        <Plot summary={drawing.summary} scale={drawing.scale} marks={drawing.marks.filter(({ path }) => path !== '')} />
        <Axis scale={drawing.scale} tickText={drawing.tickText} />
      </div>
      <figcaption>At most a year: reference price with its ranges, and each recorded sale as a dot.</figcaption>
    </figure>
  );
}
