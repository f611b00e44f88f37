import type { Explained } from '../../items/explained.ts';
import { percentMove, usdToTheCent, wholePercent, wholePercents } from '../format.ts';
import { Section } from '../layout.tsx';
import { Day } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';
import { gradeName } from './card-facts.ts';
import { Source } from './card-tables.tsx';
import { gameLabel, hasDearerSales, OF_AUCTIONS } from './card-words.ts';

/** Smaller moves of the market are shown as 0.0%. */
const LEAST_MARKET_PCT = 0.05;

/** What the price of a card at a grade is made of: shares, the market since its last sale, the sales that matter most. */
export function MadeOf({ explanation, game, label }: { explanation: Explained; game: string; label: string }) {
  const { shares, sales, marketSinceLastSalePct } = explanation;
  const all = [
    { classes: 'of-own', share: shares.ownSales, words: `${label} sales of this card` },
    { classes: 'of-grades', share: shares.otherGrades, words: 'its sales at other grades' },
    { classes: 'of-set', share: shares.setAndGame, words: 'what is usual in its set and game' },
  ];
  const percents = wholePercents(all.map(({ share }) => share));
  const parts = all.flatMap((part, at) => (percents[at] === 0 ? [] : [{ ...part, percent: percents[at]! }]));
  return (
    <Section
      id="made-of"
      title="What this price is made of"
      aside={<a href="/methodology#a-sale-is-evidence-not-proof">How a price is made</a>}
    >
      <SharesBar parts={parts} />
      <ul class="shares">
        {parts.map(({ classes, percent, words }) => (
          <li key={classes} class={classes}>
            <strong>{percent}%</strong> {words}
          </li>
        ))}
      </ul>
      {marketSinceLastSalePct !== null && Math.abs(marketSinceLastSalePct) >= LEAST_MARKET_PCT && (
        <p>
          The {gameLabel(game)} market has moved by {percentMove(marketSinceLastSalePct)} since the last of these{' '}
          {label} sales; the price has moved with it.
        </p>
      )}
      {sales.length > 0 && (
        <Table
          label="Sales that the price is made of"
          classes="trades"
          caption={
            <caption>
              The sales that matter most. A share of 50% means: had the sale been 10% higher, the price would be 5%
              higher.{hasDearerSales(sales) && ELSEWHERE}
            </caption>
          }
          columns={COLUMNS}
          rows={sales}
        />
      )}
    </Section>
  );
}

/** Shares as parts of one bar; the list below it says them in words. */
function SharesBar({ parts }: { parts: readonly { classes: string; percent: number }[] }) {
  let from = 0;
  return (
    <svg class="shares-bar" width="100%" height="12" aria-hidden="true">
      {parts.map(({ classes, percent }) => {
        const x = from;
        from += percent;
        return <rect key={classes} class={classes} x={`${x}%`} width={`${percent}%`} height="12" />;
      })}
    </svg>
  );
}

const ELSEWHERE = (
  <>
    {' '}
    {OF_AUCTIONS} (<a href="/methodology#where-it-was-sold">where it was sold</a>).
  </>
);

const COLUMNS: readonly TableColumn<Explained['sales'][number]>[] = [
  {
    head: 'Day',
    cell: ({ soldAt, gradeLabel }) => (
      <>
        <Day iso={soldAt} />
        <span class="row-note phone-only">{gradeName(gradeLabel)}</span>
      </>
    ),
  },
  { head: 'Grade', classes: 'wide-only number', cell: ({ gradeLabel }) => gradeName(gradeLabel) },
  {
    head: 'Sold for',
    classes: 'num',
    cell: ({ priceUsdCents, voided }) => (
      <>
        {usdToTheCent(priceUsdCents)}
        {voided && <span class="row-note">voided since</span>}
      </>
    ),
  },
  {
    head: 'Our price before it',
    classes: 'num',
    cell: ({ priceBeforeUsdCents }) => (priceBeforeUsdCents === null ? '–' : usdToTheCent(priceBeforeUsdCents)),
  },
  { head: 'Share', classes: 'num', cell: ({ influence }) => wholePercent(influence) },
  { head: 'Where', classes: 'wide-only', cell: (sale) => <Source {...sale} /> },
];
