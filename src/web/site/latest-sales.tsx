import type { recentTradesOf } from '../../items/trades/recent-trades.ts';
import { CardCell } from '../card/card-cell.tsx';
import { gameLabel } from '../card/card-words.ts';
import { CardArt } from '../card-picture.tsx';
import { usdToTheCent } from '../format.ts';
import { Day } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';
import type { Site } from './site.ts';

type Sales = Awaited<ReturnType<typeof recentTradesOf>>['body']['trades'];

/** The newest sales over all cards, each with its picture and time. */
export function LatestSales({ site, trades }: { site: Site; trades: Sales }) {
  if (trades.length === 0)
    return <p class="empty">No sale is recorded yet. Sales appear here as soon as they become known.</p>;
  const card: TableColumn<Sales[number]> = {
    head: 'Card',
    isName: true,
    cell: (trade) => (
      <div class="row-card">
        <CardArt site={site} card={trade.card} size="row" />
        <CardCell card={{ ...trade.card, grade: trade.card.gradeLabel }} />
      </div>
    ),
  };
  return <Table columns={[card, ...COLUMNS]} rows={trades} />;
}

const COLUMNS: readonly TableColumn<Sales[number]>[] = [
  { head: 'Game', classes: 'wide-only muted', cell: (trade) => gameLabel(trade.card.game) },
  {
    head: 'Sold for',
    classes: 'num',
    cell: ({ priceUsdCents, observedAt }) => (
      <>
        {priceUsdCents === null ? <span class="muted">Not known</span> : usdToTheCent(priceUsdCents)}
        <span class="row-note phone-only">
          <Day iso={observedAt} />
        </span>
      </>
    ),
  },
  { head: 'Where', classes: 'wide-only muted', cell: ({ displayName }) => displayName },
  {
    head: 'Sold (UTC)',
    classes: 'wide-only',
    cell: ({ observedAt }) => (
      <>
        <Day iso={observedAt} />
        <span class="row-note">{timeOf(observedAt)}</span>
      </>
    ),
  },
];

/** `14:05`; nothing at midnight, which is how sources that know only the day are kept. */
function timeOf(iso: string): string {
  const time = iso.slice(11, 16);
  return time === '00:00' ? '' : time;
}
