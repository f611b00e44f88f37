import { dayIso } from '../../lib/day.ts';
import type { ScoredSale } from '../../pricing/accuracy/card-scores.ts';
import { percentMove, usdToTheCent } from '../format.ts';
import { Section } from '../layout.tsx';
import { Day, Price } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';

export const SHOWN_SCORES = 10;

/** On a card: its newest sales against our price of the day before; nothing without scored sales. */
export function LastSales({ scores }: { scores: readonly ScoredSale[] }) {
  if (scores.length === 0) return null;
  return (
    <Section
      id="scores"
      title={`${lastOf(scores.length)} against our price of the day before`}
      aside={<a href="/accuracy">Accuracy of all prices</a>}
    >
      <Table label="Last sales and our price before them" columns={COLUMNS} rows={scores} />
    </Section>
  );
}

function lastOf(sales: number): string {
  if (sales === 1) return 'The last sale';
  return `The last ${sales === SHOWN_SCORES ? 'ten' : sales} sales`;
}

const COLUMNS: readonly TableColumn<ScoredSale>[] = [
  { head: 'Sold', cell: ({ soldDay }) => <Day iso={dayIso(soldDay)} /> },
  { head: 'For', classes: 'num', cell: ({ soldUsdCents }) => usdToTheCent(soldUsdCents) },
  { head: 'Our price', classes: 'num', cell: ({ priceUsdCents }) => <Price cents={priceUsdCents} /> },
  {
    head: 'Against our price',
    classes: 'num',
    cell: ({ priceUsdCents, soldUsdCents }) =>
      priceUsdCents === null ? '–' : percentMove(100 * (soldUsdCents / priceUsdCents - 1), 0),
  },
  { head: 'In 80% range', classes: 'wide-only', cell: ({ isInRange80 }) => (isInRange80 ? 'Yes' : 'No') },
];
