import type { LastSale } from '../../items/last-sales.ts';
import type { overviewOf } from '../../items/overview.ts';
import { dayOf } from '../../lib/day.ts';
import type { TradeRow } from '../../sales/ledger.ts';
import { count, percentMove, usdToTheCent } from '../format.ts';
import { Day, Move, Price, PriceDate, Spark } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';
import { gradeName } from './card-facts.ts';
import { amountOf, apiPath, CONFIDENCE_NAMES, standingOf } from './card-words.ts';

/** Grades of a card; `lastSale` is shown where there is no price. */
export type Grades = (ReturnType<typeof overviewOf>['grades'][number] & { lastSale?: LastSale })[];

type GradesTableOf = {
  grades: Grades;
  currentHref?: string;
  /** The past close that the prices are of, `YYYY-MM-DD`. */
  closeDay?: string;
};

/** Every tracked grade of a card with its price, as the overview orders them: highest price first. */
export function GradesTable({ grades, currentHref, closeDay }: GradesTableOf) {
  // Unpriced grades come last.
  const [highest] = grades;
  return (
    <Table
      classes="grades"
      caption={
        highest === undefined || highest.asOf === null ? (
          <caption>No grade has a reference price</caption>
        ) : (
          <caption>
            Reference prices,{' '}
            {closeDay === undefined ? (
              <PriceDate price={highest} />
            ) : (
              <>
                close of <Day iso={closeDay} />
              </>
            )}{' '}
            (UTC)
          </caption>
        )
      }
      columns={GRADE_COLUMNS}
      rows={grades.map((one) => ({
        ...one,
        href: closeDay === undefined ? one.href : `${one.href}?on=${closeDay}`,
        isCurrent: one.href === currentHref,
      }))}
      rowClass={({ isCurrent }) => (isCurrent ? 'current' : undefined)}
    />
  );
}

const GRADE_COLUMNS: readonly TableColumn<Grades[number] & { isCurrent: boolean }>[] = [
  {
    head: 'Grade',
    isName: true,
    cell: ({ href, gradeLabel, isCurrent, lastSaleAt, lastSale }) => (
      <>
        <a href={href} aria-current={isCurrent ? 'page' : undefined}>
          {gradeName(gradeLabel!)}
        </a>
        {lastSaleAt !== null && (
          <span class="row-note phone-only">
            {lastSale === undefined ? 'Sold' : `${usdToTheCent(lastSale.usdCents)},`}{' '}
            <Day iso={lastSale?.soldAt.toISOString() ?? lastSaleAt} />
          </span>
        )}
      </>
    ),
  },
  { head: '4 months', classes: 'wide-only', cell: ({ spark }) => <Spark values={spark} /> },
  {
    head: 'Price',
    classes: 'num',
    cell: ({ priceUsdCents, estimated, unconfirmedMove, reason }) => (
      <>
        {estimated && <span class="muted small">est. </span>}
        {reason === undefined ? <Price cents={priceUsdCents} /> : <span class="muted small">withheld</span>}
        {unconfirmedMove && <span class="muted small grade-note"> unconfirmed</span>}
      </>
    ),
  },
  { head: '7 days', classes: 'num', cell: ({ deltaPct }) => <Move percent={deltaPct} over="7 days" /> },
  {
    head: 'Confidence',
    classes: 'wide-only',
    cell: ({ confidence }) => (confidence === null ? '–' : CONFIDENCE_NAMES[confidence]),
  },
  {
    head: 'Last sale',
    classes: 'num wide-only',
    cell: ({ lastSaleAt, lastSale }) =>
      lastSaleAt === null ? (
        '–'
      ) : (
        <>
          <Day iso={lastSale?.soldAt.toISOString() ?? lastSaleAt} />
          {lastSale !== undefined && <span class="row-note">{usdToTheCent(lastSale.usdCents)}</span>}
        </>
      ),
  },
];

type Trades = {
  trades: readonly TradeRow[];
  total: number;
  /** Reference prices by UTC day, of sales at one grade; without them each sale has its grade. */
  prices?: ReadonlyMap<number, number>;
};

/** The newest recorded sales, rejected ones too, each with its state. */
export function TradesTable({ trades, total, prices }: Trades) {
  return (
    <Table
      label="Recorded sales"
      classes="trades"
      caption={
        <caption>
          {trades.length < total
            ? `The newest ${trades.length} of ${count(total)} recorded sales`
            : 'All recorded sales'}
          . Down-weighted and rejected sales show the reason.
          {prices !== undefined && ' “Against our price”: the reference price at the close of the day before.'}
        </caption>
      }
      columns={
        prices === undefined
          ? [GRADED_DAY, GRADE, PRICE, SALE_TYPE, WHERE]
          : [PLACED_DAY, PRICE, againstColumn(prices), SALE_TYPE, { ...WHERE, classes: 'wide-only' }]
      }
      rows={trades}
      rowClass={({ disposition }) => disposition}
    />
  );
}

const SALE_TYPES: Record<TradeRow['saleType'], string> = {
  auction: 'Auction',
  fixed: 'Fixed price',
  offer: 'Best offer',
  house_auction: 'Auction house',
  shop: 'Shop',
};

type TradeColumn = TableColumn<TradeRow>;

/** With four columns, phones have no room for one of places. */
const PLACED_DAY: TradeColumn = {
  head: 'Day',
  cell: (trade) => (
    <>
      <Day iso={trade.observedAt} />
      <span class="row-note phone-only">
        <Where trade={trade} />
      </span>
    </>
  ),
};
const GRADED_DAY: TradeColumn = {
  head: 'Day',
  cell: ({ observedAt, gradeLabel }) => (
    <>
      <Day iso={observedAt} />
      <span class="row-note phone-only">{gradeName(gradeLabel)}</span>
    </>
  ),
};
const GRADE: TradeColumn = {
  head: 'Grade',
  classes: 'wide-only',
  cell: ({ gradeLabel }) => gradeName(gradeLabel),
};
const PRICE: TradeColumn = { head: 'Price', classes: 'num', cell: (trade) => amountOf(trade, usdToTheCent) };
const SALE_TYPE: TradeColumn = {
  head: 'Sale type',
  classes: 'wide-only',
  cell: ({ saleType }) => SALE_TYPES[saleType],
};
const WHERE: TradeColumn = { head: 'Where', cell: (trade) => <Where trade={trade} /> };

/** The place of sale, and the state of a sale that does not count in full. */
function Where({ trade }: { trade: TradeRow }) {
  return (
    <>
      <Source {...trade} />
      {trade.disposition !== 'used' && <span class="standing">{standingOf(trade)}</span>}
    </>
  );
}

/** How far a sale is from the reference price at the close of the day before it. */
function againstColumn(prices: ReadonlyMap<number, number>): TradeColumn {
  return {
    head: 'Against our price',
    classes: 'num',
    cell({ observedAt, priceUsdCents }) {
      const price = prices.get(dayOf(Date.parse(observedAt)) - 1);
      return price === undefined || priceUsdCents === null ? '–' : percentMove(100 * (priceUsdCents / price - 1), 0);
    },
  };
}

/** Leads to all of the sales. */
export function SalesAsData({ href }: { href: string }) {
  return <a href={`${apiPath(href)}/trades?limit=200`}>Download sales</a>;
}

/** The place of sale; a link only where its address is of the web. */
export function Source({ sourceUrl, displayName }: Pick<TradeRow, 'sourceUrl' | 'displayName'>) {
  if (sourceUrl === null || !/^https?:\/\//i.test(sourceUrl)) return <>{displayName}</>;
  return (
    <a href={sourceUrl} rel="nofollow noreferrer">
      {displayName}
    </a>
  );
}
