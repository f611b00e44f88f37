import type { overviewOf } from '../../items/overview.ts';
import type { TradeRow } from '../../sales/ledger.ts';
import { count, usd } from '../format.ts';
import { Headings } from '../headings.tsx';
import { Day, Move, Spark } from '../price.tsx';
import type { ItemDetail } from './card-price.tsx';
import { amountOf, apiPath, CONFIDENCE_NAMES, standingOf } from './card-words.ts';

type Grades = ReturnType<typeof overviewOf>['grades'];

/** Every tracked grade of a card with its price, as the overview orders them: highest price first. */
export function GradesTable({ grades, currentHref }: { grades: Grades; currentHref?: string }) {
  // Unpriced grades come last.
  const asOf = grades[0]?.updatedAt ?? null;
  return (
    <table class="grades">
      <caption>
        {asOf === null ? (
          'No grade has a reference price'
        ) : (
          <>
            Reference prices as of <Day iso={asOf} />
          </>
        )}
      </caption>
      <Headings
        columns={[
          'Grade',
          ['4 months', 'wide-only'],
          ['Price', 'num'],
          ['7 days', 'num'],
          ['Confidence', 'wide-only'],
          ['Last sale', 'num'],
        ]}
      />
      <tbody>
        {grades.map((one) => (
          <tr key={one.href} class={one.href === currentHref ? 'current' : undefined}>
            <th scope="row">
              <a href={one.href} aria-current={one.href === currentHref ? 'page' : undefined}>
                {one.gradeLabel}
              </a>
            </th>
            <td class="wide-only">
              <Spark values={one.spark} />
            </td>
            <td class="num">
              {one.priceUsdCents === null ? <span class="muted">No price</span> : usd(one.priceUsdCents)}
              {one.estimated && <span class="muted small"> est.</span>}
            </td>
            <td class="num">
              <Move percent={one.deltaPct} over="7 days" />
            </td>
            <td class="wide-only">{one.confidence === null ? '–' : CONFIDENCE_NAMES[one.confidence]}</td>
            <td class="num">{one.lastSaleAt === null ? '–' : <Day iso={one.lastSaleAt} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type Trades = { trades: readonly TradeRow[]; total: number; showsGrade: boolean };

/** The newest recorded sales, rejected ones too, each with its state. */
export function TradesTable({ trades, total, showsGrade }: Trades) {
  return (
    <table class="trades">
      <caption>
        {trades.length < total ? `The newest ${trades.length} of ${count(total)} recorded sales` : 'All recorded sales'}
        . Down-weighted and rejected sales show the reason.
      </caption>
      <Headings columns={['Day', ...(showsGrade ? ['Grade'] : []), ['Price', 'num'], 'Where']} />
      <tbody>
        {trades.map((trade) => (
          <Trade key={trade} trade={trade} showsGrade={showsGrade} />
        ))}
      </tbody>
    </table>
  );
}

/** Leads to all of the sales. */
export function SalesAsData({ href }: { href: string }) {
  return <a href={`${apiPath(href)}/trades?limit=200`}>Download sales</a>;
}

function Trade({ trade, showsGrade }: { trade: TradeRow; showsGrade: boolean }) {
  return (
    <tr class={trade.disposition}>
      <td>
        <Day iso={trade.observedAt} />
      </td>
      {showsGrade && <td>{trade.gradeLabel}</td>}
      <td class="num">{amountOf(trade)}</td>
      <td>
        <Source trade={trade} />
        {trade.disposition !== 'used' && <span class="standing">{standingOf(trade)}</span>}
      </td>
    </tr>
  );
}

/** Where it was sold; a link only to what is an address of the web. */
function Source({ trade: { sourceUrl, displayName } }: { trade: TradeRow }) {
  if (sourceUrl === null || !/^https?:\/\//i.test(sourceUrl)) return <>{displayName}</>;
  return (
    <a href={sourceUrl} rel="nofollow noreferrer">
      {displayName}
    </a>
  );
}

/** Other printings: of other languages, or other variations. */
export function Printings({
  cards,
  differBy,
}: {
  cards: ItemDetail['otherVariants'];
  differBy: 'language' | 'variation';
}) {
  return (
    <ul class="printings">
      {cards.map((one) => (
        <li key={one.id}>
          <a href={one.href}>
            {differBy === 'language'
              ? [one.language, one.variation].filter(Boolean).join(', ')
              : (one.variation ?? one.rarity ?? 'Plain')}
          </a>
          <span class="muted">
            {one.priceUsdCents === null ? 'No price' : `${usd(one.priceUsdCents)}, ${one.gradeLabel}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
