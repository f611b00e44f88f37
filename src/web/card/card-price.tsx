import type { Static } from 'typebox';
import type { detail } from '../../items/detail.ts';
import type { score } from '../../items/shapes.ts';
import { ago, usd } from '../format.ts';
import { Day, MoveFact } from '../price.tsx';
import { CONFIDENCE_NAMES, salesOf, whyUnpriced } from './card-words.ts';

export type ItemDetail = Awaited<ReturnType<typeof detail.view>>['body'];

/** What a card is worth at a grade: price, range, confidence, age, moves; or the reason for a missing price. */
export function PriceBlock({ card, recordedSales, nowMs }: { card: ItemDetail; recordedSales: number; nowMs: number }) {
  return (
    <section class="price" aria-labelledby="price">
      <h2 id="price" class="price-title">
        Reference price{card.gradeLabel === null ? '' : `, ${card.gradeLabel}`}
      </h2>
      {card.priceUsdCents === null ? (
        <Unpriced card={card} recordedSales={recordedSales} nowMs={nowMs} />
      ) : (
        <Priced card={card} cents={card.priceUsdCents} nowMs={nowMs} />
      )}
    </section>
  );
}

function Priced({ card, cents, nowMs }: { card: ItemDetail; cents: number; nowMs: number }) {
  const { priceRangeUsdCents: range, confidence, confidenceScore, deltas, estimated, observationCount } = card;
  return (
    <>
      <p class="price-now">
        <data value={cents / 100}>{usd(cents)}</data>
        {card.updatedAt !== null && (
          <span class="price-age">
            as of <Day iso={card.updatedAt} />, {ago(card.updatedAt, nowMs)}
          </span>
        )}
      </p>
      {range !== null && <Range low={range.low} high={range.high} cents={cents} />}
      <dl class="moves">
        {(['7', '30', '365'] as const).map((days) => (
          <MoveFact key={days} percent={deltas[`d${days}`]} over={`${days} days`} />
        ))}
      </dl>
      <dl class="facts">
        {confidence !== null && confidenceScore !== null && (
          <div>
            <dt>Confidence</dt>
            <dd>
              <strong>{CONFIDENCE_NAMES[confidence]}</strong>, {confidenceScore.toFixed(2)}:{' '}
              {chanceWords(confidenceScore)} <a href="/methodology">How this is computed</a>
            </dd>
          </div>
        )}
        <div>
          <dt>Based on</dt>
          <dd>
            {estimated
              ? 'Estimated: no sale at this grade is recorded. Priced from the card’s other grades and its market.'
              : `${salesOf(observationCount)} in ${card.observationWindowDays} days, ${salesOf(card.totalObservationCount)} in all`}
          </dd>
        </div>
        <LastSale iso={card.lastSaleAt} nowMs={nowMs} />
      </dl>
    </>
  );
}

function Unpriced({ card, recordedSales, nowMs }: { card: ItemDetail; recordedSales: number; nowMs: number }) {
  return (
    <>
      <p class="price-none">No reference price</p>
      <p>{whyUnpriced(card, recordedSales)}</p>
      <dl class="facts">
        <LastSale iso={card.lastSaleAt} nowMs={nowMs} />
      </dl>
    </>
  );
}

function LastSale({ iso, nowMs }: { iso: string | null; nowMs: number }) {
  if (iso === null) return null;
  return (
    <div>
      <dt>Last sale</dt>
      <dd>
        <Day iso={iso} />, {ago(iso, nowMs)}
      </dd>
    </div>
  );
}

/** The score in a sentence: it is a probability, so it can be said as one. */
function chanceWords(chance: Static<typeof score>): string {
  return `We expect the true value to be within 15 % of this price ${Math.round(chance * 100)} % of the time.`;
}

/** The 80 % range with the price in it. */
function Range({ low, high, cents }: { low: number; high: number; cents: number }) {
  const at = high > low ? ((cents - low) / (high - low)) * 100 : 50;
  return (
    <div class="range">
      <svg width="100%" height="14" aria-hidden="true">
        <rect class="range-bar" y="4" width="100%" height="6" rx="3" />
        <circle class="range-price" cx={`${at.toFixed(1)}%`} cy="7" r="6" />
      </svg>
      <p class="range-ends">
        <span>{usd(low)}</span>
        <span class="muted">80 % range</span>
        <span>{usd(high)}</span>
      </p>
    </div>
  );
}
