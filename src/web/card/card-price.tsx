import type { ComponentChildren } from 'preact';
import type { Static } from 'typebox';
import type { detail } from '../../items/detail.ts';
import type { score } from '../../items/shapes.ts';
import type { UnconfirmedMove } from '../../pricing/read/series-quote.ts';
import type { TradeRow } from '../../sales/ledger.ts';
import { ago, usd } from '../format.ts';
import { WholeDays } from '../line-breaks.tsx';
import { Day, MoveFact } from '../price.tsx';
import { gradeName } from './card-facts.ts';
import { basisOf, CONFIDENCE_NAMES, closeOf, unconfirmedWords, whyUnpriced } from './card-words.ts';
import { type Ends, RangePicture } from './price-range.tsx';

export type ItemDetail = Awaited<ReturnType<typeof detail.view>>['body'];

type PriceBlockOf = {
  card: ItemDetail;
  /** Newest first; `total` counts those left out too. */
  recorded: { trades: readonly TradeRow[]; total: number };
  move: UnconfirmedMove | null;
  nowMs: number;
  /** Below a price. */
  inCurrency?: ComponentChildren;
};

/** What a card is worth at a grade: price, ranges, confidence, age, moves; or the reason for a missing price. */
export function PriceBlock({ card, recorded, move, nowMs, inCurrency }: PriceBlockOf) {
  // A sale that may be of another card does not stand in for a price.
  const lastSale = card.reason === undefined ? lastSaleOf(recorded) : null;
  return (
    <section class="price" aria-labelledby="price">
      <h2 id="price" class="price-title">
        {card.priceUsdCents === null && lastSale !== null ? 'Last sale' : 'Reference price'}
        {card.gradeLabel === null ? '' : `, ${gradeName(card.gradeLabel)}`}
      </h2>
      {card.priceUsdCents === null ? (
        <Unpriced card={card} lastSale={lastSale} recordedSales={recorded.total} nowMs={nowMs} />
      ) : (
        <Priced card={card} cents={card.priceUsdCents} {...{ lastSale, move, nowMs, inCurrency }} />
      )}
    </section>
  );
}

/** The close that a price is of; of one that sales have moved since, when it was computed. */
function PriceDay({ card, nowMs }: { card: ItemDetail; nowMs: number }) {
  const closed = closeOf(card);
  if (closed !== null)
    return (
      <>
        Close of <Day iso={closed} /> (UTC)
      </>
    );
  if (card.updatedAt === null) return null;
  return (
    <>
      as of <Day iso={card.updatedAt} />, {ago(card.updatedAt, nowMs)}
    </>
  );
}

type PricedSale = TradeRow & { priceUsdCents: number };

/** The newest accepted sale whose price is known; null without one. */
export function lastSaleOf({ trades }: { trades: readonly TradeRow[] }): PricedSale | null {
  const isPriced = (trade: TradeRow): trade is PricedSale =>
    trade.disposition !== 'refused' && trade.priceUsdCents !== null;
  return trades.find(isPriced) ?? null;
}

const MOVE_DAYS = ['7', '30', '365'] as const;

type Shown = { card: ItemDetail; lastSale: PricedSale | null; nowMs: number };

type PricedOf = Shown & { cents: number } & Pick<PriceBlockOf, 'move' | 'inCurrency'>;

function Priced({ card, cents, lastSale, move, nowMs, inCurrency }: PricedOf) {
  const { priceRangeUsdCents: range, nextSaleRangeUsdCents: next, deltas } = card;
  const { confidence, confidenceScore } = card;
  return (
    <>
      <p class="price-now">
        <data value={cents / 100}>{usd(cents)}</data>
        <span class="price-age">
          <PriceDay card={card} nowMs={nowMs} />
        </span>
      </p>
      {inCurrency}
      {move !== null && (
        <p class="price-unconfirmed">
          <WholeDays>{unconfirmedWords(move)}</WholeDays>
        </p>
      )}
      {range !== null && (
        <RangePicture price={cents} value={range} next={next} lastSale={lastSale?.priceUsdCents ?? null} />
      )}
      {MOVE_DAYS.some((days) => deltas[`d${days}`] !== null) && (
        <dl class="moves">
          {MOVE_DAYS.map((days) => (
            <MoveFact key={days} percent={deltas[`d${days}`]} over={`${days} days`} />
          ))}
        </dl>
      )}
      <dl class="facts">
        {range !== null && <RangeFact name="Value" words="80% chance that it is between" range={range} />}
        {next !== null && <RangeFact name="Next sale" words="80% chance that it is between" range={next} />}
        {confidence !== null && confidenceScore !== null && (
          <div>
            <dt>Confidence</dt>
            <dd>
              <strong>{CONFIDENCE_NAMES[confidence]}</strong>, {confidenceScore.toFixed(2)}:{' '}
              {chanceWords(confidenceScore)} <a href="/methodology#ranges-and-confidence">How this is computed</a>
            </dd>
          </div>
        )}
        <div>
          <dt>Based on</dt>
          <dd>{basisOf(card)}</dd>
        </div>
        <LastSale sale={lastSale} publishedAt={card.lastSaleAt} nowMs={nowMs} />
      </dl>
    </>
  );
}

function Unpriced({ card, lastSale, recordedSales, nowMs }: Shown & { recordedSales: number }) {
  return (
    <>
      {lastSale === null ? <p class="price-none">No reference price</p> : <LastSaleNow sale={lastSale} nowMs={nowMs} />}
      <p>
        {lastSale !== null && <strong>No reference price. </strong>}
        <WholeDays>{whyUnpriced(card, recordedSales)}</WholeDays>
        {card.reason !== undefined && <AuditLink />}
      </p>
    </>
  );
}

/** Where it says why a price is withheld. */
export function AuditLink() {
  return (
    <>
      {' '}
      <a href="/audit">The audit has the evidence.</a>
    </>
  );
}

/** The last sale as the large figure, where there is no price. */
export function LastSaleNow({ sale, nowMs, gradeLabel }: { sale: PricedSale; nowMs: number; gradeLabel?: string }) {
  return (
    <>
      <p class="price-now">
        <strong>{usd(sale.priceUsdCents)}</strong>
        <span class="price-age">
          on <Day iso={sale.observedAt} /> ({sale.displayName}), {ago(sale.observedAt, nowMs)}
        </span>
      </p>
      <p class="price-label">
        Last sale{gradeLabel === undefined ? '' : ` (${gradeName(gradeLabel)})`}, not a reference price
      </p>
    </>
  );
}

function RangeFact({ name, words, range }: { name: string; words: string; range: Ends }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {words} {usd(range.low)} and {usd(range.high)}
      </dd>
    </div>
  );
}

type LastSaleOf = { sale: PricedSale | null; publishedAt: string | null; nowMs: number };

/** Amount, day and age of the same sale; of an earlier close, whose sales are not read, the day alone. */
function LastSale({ sale, publishedAt, nowMs }: LastSaleOf) {
  const iso = sale?.observedAt ?? publishedAt;
  if (iso === null) return null;
  return (
    <div>
      <dt>Last sale</dt>
      <dd>
        {sale !== null && (
          <>
            <strong>{usd(sale.priceUsdCents)}</strong>,{' '}
          </>
        )}
        <Day iso={iso} />
        {sale !== null && `, ${ago(iso, nowMs)}`}
      </dd>
    </div>
  );
}

/** The score in a sentence: it is a probability, so it can be said as one. */
function chanceWords(chance: Static<typeof score>): string {
  const often = chance > 0.99 ? 'more than 99%' : `${Math.round(chance * 100)}%`;
  return `We expect the true value to be within 15% of this price ${often} of the time.`;
}
