import type { VNode } from 'preact';
import { counted } from '../../lib/counted.ts';
import { type ListLine, namingOf } from '../../lists/list-lines.ts';
import type { ValuedList } from '../../lists/value-list.ts';
import { CardCell } from '../card/card-cell.tsx';
import { gradeName, lineOf } from '../card/card-facts.ts';
import { count, usdToTheCent } from '../format.ts';
import { Day } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';

type ValuedRow = { line: ListLine; valued: ValuedList['lines'][number] };

/** What a list is worth, line by line. It prints as a statement. */
export function WorthResult({ lines, list, form }: { lines: readonly ListLine[]; list: ValuedList; form: VNode }) {
  const { total, asOf, receipt } = list;
  const { pricedLines, unpricedLines, rangeUsdCents: range } = total;
  return (
    <div class="wrap">
      <div class="page-head">
        <h1>What your list is worth</h1>
        <p class="lead">
          {pricedLines === 0 ? (
            'No line of the list has a price.'
          ) : (
            <>
              <strong>{usdToTheCent(total.valueUsdCents)}</strong>
              {range && (
                <>
                  : 80% chance that the total is between {usdToTheCent(range.low)} and {usdToTheCent(range.high)}
                </>
              )}
              .
            </>
          )}
        </p>
        <p class="muted">
          {count(pricedLines)} of {counted(pricedLines + unpricedLines, 'line')} {pricedLines === 1 ? 'is' : 'are'}{' '}
          priced
          {asOf && (
            <>
              {' '}
              as of <Day iso={asOf} />
            </>
          )}
          . <a href="/methodology/model">How the range of a total is made</a>.
        </p>
      </div>
      <Table
        classes="list-table"
        columns={COLUMNS}
        rows={list.lines.map((valued, n) => ({ valued, line: lines[n]! }))}
      />
      {pricedLines > 1 && (
        <p class="worth-total">
          Total <strong>{usdToTheCent(total.valueUsdCents)}</strong>
        </p>
      )}
      <p class="row-note worth-note">
        Digest of this answer: <code class="digest">{receipt.digest}</code>. Receipts of its lines:{' '}
        {count(receipt.urls.length)}, linked from the prices. Nothing of the list is kept.
      </p>
      {form}
    </div>
  );
}

const COLUMNS: readonly TableColumn<ValuedRow>[] = [
  { head: 'Card', isName: true, cell: ({ line, valued }) => <LineCell line={line} valued={valued} /> },
  { head: 'Quantity', classes: 'num wide-only', cell: ({ valued }) => count(valued.quantity) },
  {
    head: 'Price',
    classes: 'num wide-only',
    cell: ({ valued: { card, receiptUrl } }) => {
      if (card?.priceUsdCents == null) return '–';
      const price = usdToTheCent(card.priceUsdCents);
      return receiptUrl === null ? price : <a href={new URL(receiptUrl).pathname}>{price}</a>;
    },
  },
  {
    head: 'Value',
    classes: 'num',
    cell: ({ valued: { card, quantity, valueUsdCents } }) => (
      <>
        {valueUsdCents === null ? '–' : usdToTheCent(valueUsdCents)}
        {quantity > 1 && (
          <span class="row-note phone-only">
            {count(quantity)} × {card?.priceUsdCents == null ? '–' : usdToTheCent(card.priceUsdCents)}
          </span>
        )}
      </>
    ),
  },
];

/** The card; without one, the line as it was sent. Below it, why it has no price, and the cards that it may mean. */
function LineCell({ line, valued: { card, because, candidates = [] } }: ValuedRow) {
  return (
    <>
      {card ? (
        <CardCell card={{ ...card, grade: card.gradeLabel, language: card.language! }} />
      ) : (
        <span class="sent">{sentAs(line)}</span>
      )}
      {because !== null && (
        <span class="row-note">
          {card && <>Your line: {sentAs(line)}. </>}
          {because}
        </span>
      )}
      {candidates.length > 0 && (
        <span class="row-note">
          May be{' '}
          {candidates.map((one, n) => (
            <>
              {n > 0 && '; '}
              <a href={one.href}>
                {lineOf({ ...one, language: one.language! })}
                {one.gradeLabel !== null && `, ${gradeName(one.gradeLabel)}`}
              </a>
              {one.priceUsdCents !== null && ` ${usdToTheCent(one.priceUsdCents)}`}
            </>
          ))}
        </span>
      )}
    </>
  );
}

function sentAs(line: ListLine): string {
  const naming = namingOf(line);
  const sent = naming === null ? (line.ref ?? '') : line[naming];
  return (typeof sent === 'object' ? `${sent?.space}:${sent?.id}` : sent) || 'An empty line';
}
