import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { LastSale } from '../items/last-sales.ts';
import type { CardSummary } from '../items/summary.ts';
import { gradeName } from './card/card-facts.ts';
import { short } from './chart/chart-shape.ts';
import { briefDay, percentMove, priceDayOf, usd, usdToTheCent } from './format.ts';

/** A day in a page, readable by machines too. */
export function Day({ iso }: { iso: string }) {
  return <time dateTime={iso}>{briefDay(iso)}</time>;
}

/** When the last close ran, ms, for the prices of a page; null before the first one. */
export const LastClose = createContext<number | null>(null);

/** The day of a price in words, readable by machines too. */
export function PriceDate({ price }: { price: Parameters<typeof priceDayOf>[0] }) {
  const day = priceDayOf(price, useContext(LastClose));
  if (day === null) return null;
  return (
    <>
      {day.isClose ? 'close of ' : 'as of '}
      <Day iso={day.iso} />
    </>
  );
}

/** A move in percent, its direction shown by sign and arrow, not by color alone; a dash where either end has no price. */
export function Move({ percent, over }: { percent: number | null; over: string }) {
  if (percent === null)
    return (
      <span class="muted">
        <span aria-hidden="true">–</span>
        <span class="unseen">no move known over {over}</span>
      </span>
    );
  const rounded = Math.round(percent * 10) / 10;
  const way = rounded > 0 ? 'up' : rounded < 0 ? 'down' : 'flat';
  return (
    <span class={`move ${way}`}>
      <span aria-hidden="true">{way === 'up' ? '▲' : way === 'down' ? '▼' : '■'}</span> {percentMove(percent)}
      <span class="unseen"> over {over}</span>
    </span>
  );
}

/** A price in a column: always with cents, so that decimal points align. */
export function Price({ cents }: { cents: number | null }): ComponentChildren {
  return cents === null ? <span class="muted">No price</span> : usdToTheCent(cents);
}

/** A move with its period, in a list of facts. */
export function MoveFact({ percent, over }: { percent: number | null; over: string }) {
  return (
    <div>
      <dt>{over}</dt>
      <dd>
        <Move percent={percent} over={over} />
      </dd>
    </div>
  );
}

const SPARK = { width: 88, height: 26 };
const MIN_SPARK = 5;
/** A line over its whole height is a move of one percent at least: a smaller one looks as small as it is. */
const LEAST_SPAN = 0.01;

/** A small line of values, oldest first; nothing for fewer than five, which say little. Decoration: the moves next to it say the same. */
export function Spark({ values }: { values: readonly number[] }) {
  if (values.length < MIN_SPARK) return null;
  const { width, height } = SPARK;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const span = Math.max(most - least, most * LEAST_SPAN);
  const low = (least + most - span) / 2;
  const points = values.map((value, at) => {
    const x = (at * width) / (values.length - 1);
    return `${short(x)},${short(height - ((value - low) / span) * height)}`;
  });
  return (
    <svg class="spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(' ')} />
    </svg>
  );
}

type Priced = Pick<
  CardSummary,
  'priceUsdCents' | 'gradeLabel' | 'lastSaleAt' | 'asOf' | 'updatedAt' | 'deltaPct' | 'estimated' | 'unconfirmedMove'
> & { lastSale?: LastSale };

/** Price of a card in a list with its grade, move and date; without a price, the last sale. */
export function ListPrice({ card }: { card: Priced }) {
  const { priceUsdCents, lastSaleAt, updatedAt, deltaPct, estimated, unconfirmedMove, lastSale } = card;
  const gradeLabel = card.gradeLabel === null ? null : gradeName(card.gradeLabel);
  if (priceUsdCents === null && lastSale !== undefined)
    return (
      <span class="list-price">
        <strong>{usd(lastSale.usdCents)}</strong>
        <span class="list-price-note">Last sale, not a reference price</span>
        <span class="list-price-note">
          {gradeLabel} · <Day iso={lastSale.soldAt.toISOString()} />
        </span>
      </span>
    );
  if (priceUsdCents === null)
    return (
      <span class="list-price">
        <span class="muted">No price</span>
        <span class="list-price-note">
          {lastSaleAt === null ? (
            'No sale recorded'
          ) : (
            <>
              {gradeLabel}, last sold <Day iso={lastSaleAt} />
            </>
          )}
        </span>
      </span>
    );
  return (
    <span class="list-price">
      <span class="list-price-row">
        <strong>{usd(priceUsdCents)}</strong> {deltaPct !== null && <Move percent={deltaPct} over="7 days" />}
      </span>
      <span class="list-price-note">
        {gradeLabel}
        {estimated && ', estimated'}
        {unconfirmedMove && ', unconfirmed'}
      </span>
      {updatedAt !== null && (
        <span class="list-price-note">
          <PriceDate price={card} />
        </span>
      )}
    </span>
  );
}
