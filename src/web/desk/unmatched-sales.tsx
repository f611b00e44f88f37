import { type SuggestedSale, withCandidates } from '../../desk/candidate-items.ts';
import { listUnmatched } from '../../sales/import/waiting.ts';
import { amountOf } from '../card/card-words.ts';
import { count } from '../format.ts';
import { Day } from '../price.tsx';
import { AliasForm } from './alias-form.tsx';
import { type DeskContent, Nothing, Pager } from './desk-page.tsx';
import type { DeskView } from './desk-view.ts';
import { PAGE_ROWS } from './desk-world.ts';
import { SaleDecision } from './sale-decision.tsx';

/** `unmatched`: sales whose card could not be identified, with the cards that each may be of. */
export async function unmatchedSales(view: DeskView): Promise<DeskContent> {
  const { db, titles } = view.world;
  const [source, saleId] = [view.query.get('source'), view.query.get('sale')];
  const after = source === null || saleId === null ? null : { source, saleId };
  const { sales, total } = await listUnmatched(db, PAGE_ROWS + 1, after);
  const shown = sales.slice(0, PAGE_ROWS);
  const suggested = shown.length === 0 ? [] : await withCandidates(db, shown, await titles());
  const last = sales.length > PAGE_ROWS ? shown.at(-1) : undefined;
  return {
    title: 'Unmatched sales',
    main: (
      <>
        <p class="muted">
          {count(total)} {total === 1 ? 'sale waits' : 'sales wait'} for a card. None is in a price. After a catalog
          import, or when a name was taught, <code>mintmark sales rematch</code> tries all of them again.
        </p>
        {suggested.length === 0 && <Nothing>No sale waits{after === null ? '' : ' after these'}.</Nothing>}
        {suggested.map((sale) => (
          <Unmatched key={`${sale.source} ${sale.sourceSaleId}`} sale={sale} view={view} />
        ))}
        <Pager
          first={after === null ? null : `${view.base}unmatched`}
          next={
            last === undefined
              ? null
              : `${view.base}unmatched?${new URLSearchParams({ source: last.source, sale: last.sourceSaleId })}`
          }
        />
      </>
    ),
  };
}

function Unmatched({ sale, view }: { sale: SuggestedSale; view: DeskView }) {
  const { source, sourceSaleId: saleId, title, soldAtMs, company, grade, file, line, importId, because, item } = sale;
  return (
    <section class="desk-item">
      <h2>{title ?? item.value}</h2>
      <p class="muted small">
        {amountOf({ ...sale, priceUsdCents: null })}, sold <Day iso={new Date(soldAtMs).toISOString()} />
        {company !== null && `, ${company} ${grade ?? ''}`} · {source} {saleId} · import {importId}
        {file !== null && `, ${file}`}, line {line}
      </p>
      <p>{because}</p>
      <SaleDecision view={view} sale={{ source, saleId }} candidates={sale.candidates} />
      {title !== null && <AliasForm view={view} id={`${source}-${saleId}`} card={sale.candidates[0]?.item ?? null} />}
    </section>
  );
}
