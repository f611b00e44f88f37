import type { SlabHistory } from '../../graded/history/cert-history.ts';
import { gradeName } from '../card/card-facts.ts';
import { rejectionWords } from '../card/card-words.ts';
import { Day, Price } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';

export type ShownHistory = Pick<SlabHistory, 'sales' | 'changes' | 'contradictions'>;
type ShownSale = SlabHistory['sales'][number];
type ShownChange = SlabHistory['changes'][number];

/** Above everything else: records of the slab that cannot all be right. */
export function Contradictions({ history: { contradictions } }: { history: ShownHistory }) {
  if (contradictions.length === 0) return null;
  return (
    <div class="slab-contradictions" role="alert">
      <p>
        <strong>{CONTRADICTION_HEADING}</strong> {CONTRADICTION_MEANING}
      </p>
      <ul>
        {contradictions.map(({ kind, text, at }) => (
          <li key={kind + at}>{contradictionWords(text)}</li>
        ))}
      </ul>
    </div>
  );
}

export const CONTRADICTION_HEADING = 'These records contradict each other.';
export const CONTRADICTION_MEANING =
  'A sale may be recorded wrongly, or two slabs may have this number. Compare the slab with the grader’s own record before you buy.';

/** A contradiction under the heading that says that it is one. */
export function contradictionWords(text: string): string {
  return text.replace(/^[^:]*: (.)/, (_, first: string) => first.toUpperCase());
}

/** The recorded sales of this slab, and what changed in its record; nothing where neither is known. */
export function SlabLife({ history: { sales, changes } }: { history: ShownHistory }) {
  if (sales.length + changes.length === 0) return null;
  return (
    <section class="slab-life">
      <h2>Recorded life of this slab</h2>
      {sales.length > 0 && (
        <Table
          label="Recorded sales of this slab"
          caption={
            <caption>Sales that name this cert. “Price that day”: our reference price at the close of the day.</caption>
          }
          columns={SALE_COLUMNS}
          rows={sales}
        />
      )}
      {changes.length > 0 && (
        <>
          <h3>Changes of its record</h3>
          <ul>
            {changes.map((change) => (
              <li key={change.at + change.field}>
                <Day iso={change.at} />: {change.field} <Said change={change} said={change.from} /> became{' '}
                <Said change={change} said={change.to} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Said({ change: { field }, said }: { change: ShownChange; said: string }) {
  return field === 'card' && said !== '' ? <a href={said}>{said.split('/').at(-1)}</a> : <q>{said}</q>;
}

const SALE_COLUMNS: readonly TableColumn<ShownSale>[] = [
  {
    head: 'Day',
    cell: (sale) => (
      <>
        <Day iso={sale.soldAt} />
        <span class="row-note phone-only">{whereWords(sale)}</span>
      </>
    ),
  },
  { head: 'Sold for', classes: 'num', cell: ({ priceUsdCents }) => <Price cents={priceUsdCents} /> },
  {
    head: 'Price that day',
    classes: 'num',
    cell: ({ referencePriceUsdCents }) => <Price cents={referencePriceUsdCents} />,
  },
  {
    head: 'As',
    cell: ({ href, name, gradeLabel }) => (
      <a href={href}>
        {name}, {gradeName(gradeLabel)}
      </a>
    ),
  },
  { head: 'Where', classes: 'wide-only', cell: whereWords },
];

/** `eBay`, with the reason of a sale that is in no price. */
export function whereWords({ displayName, dispositionReason }: ShownSale): string {
  return dispositionReason === null ? displayName : `${displayName}, ${rejectionWords(dispositionReason)}`;
}
