import type { overviewOf } from '../../items/overview.ts';
import type { TradeRow } from '../../sales/ledger.ts';
import { count, usdToTheCent } from '../format.ts';
import { Day, Move, Price, Spark } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';
import { amountOf, apiPath, CONFIDENCE_NAMES, standingOf } from './card-words.ts';

export type Grades = ReturnType<typeof overviewOf>['grades'];

type GradesTableOf = {
  grades: Grades;
  currentHref?: string;
  /** Of the close that they are all of, `YYYY-MM-DD`; without it they are dated by when they were computed. */
  closeDay?: string;
};

/** Every tracked grade of a card with its price, as the overview orders them: highest price first. */
export function GradesTable({ grades, currentHref, closeDay }: GradesTableOf) {
  // Unpriced grades come last.
  const asOf = grades[0]?.updatedAt ?? null;
  return (
    <Table
      classes="grades"
      caption={
        asOf === null ? (
          <caption>No grade has a reference price</caption>
        ) : (
          <caption>
            Reference prices{closeDay === undefined ? ' as of ' : ', close of '}
            <Day iso={closeDay ?? asOf} />
          </caption>
        )
      }
      columns={GRADE_COLUMNS}
      rows={grades.map((one) => ({ ...one, isCurrent: one.href === currentHref }))}
      rowClass={({ isCurrent }) => (isCurrent ? 'current' : undefined)}
    />
  );
}

const GRADE_COLUMNS: readonly TableColumn<Grades[number] & { isCurrent: boolean }>[] = [
  {
    head: 'Grade',
    isName: true,
    cell: ({ href, gradeLabel, isCurrent }) => (
      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
        {gradeLabel}
      </a>
    ),
  },
  { head: '4 months', classes: 'wide-only', cell: ({ spark }) => <Spark values={spark} /> },
  {
    head: 'Price',
    classes: 'num',
    cell: ({ priceUsdCents, estimated, unconfirmedMove }) => (
      <>
        {estimated && <span class="muted small">est. </span>}
        <Price cents={priceUsdCents} />
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
    classes: 'num',
    cell: ({ lastSaleAt }) => (lastSaleAt === null ? '–' : <Day iso={lastSaleAt} />),
  },
];

type Trades = { trades: readonly TradeRow[]; total: number; showsGrade: boolean };

/** The newest recorded sales, rejected ones too, each with its state. */
export function TradesTable({ trades, total, showsGrade }: Trades) {
  return (
    <Table
      classes="trades"
      caption={
        <caption>
          {trades.length < total
            ? `The newest ${trades.length} of ${count(total)} recorded sales`
            : 'All recorded sales'}
          . Down-weighted and rejected sales show the reason.
        </caption>
      }
      columns={TRADE_COLUMNS.filter(({ head }) => showsGrade || head !== 'Grade')}
      rows={trades}
      rowClass={({ disposition }) => disposition}
    />
  );
}

const TRADE_COLUMNS: readonly TableColumn<TradeRow>[] = [
  { head: 'Day', cell: ({ observedAt }) => <Day iso={observedAt} /> },
  { head: 'Grade', cell: ({ gradeLabel }) => gradeLabel },
  { head: 'Price', classes: 'num', cell: (trade) => amountOf(trade, usdToTheCent) },
  {
    head: 'Where',
    cell: (trade) => (
      <>
        <Source {...trade} />
        {trade.disposition !== 'used' && <span class="standing">{standingOf(trade)}</span>}
      </>
    ),
  },
];

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
