import { gradeByKey } from '../../catalog/grades.ts';
import {
  listDoubted,
  listMoves,
  SEARCHED_SALES,
  SUSPECT_DAYS,
  type SuspectMove,
  type SuspectSale,
} from '../../desk/suspects.ts';
import { itemHref } from '../../items/item-row.ts';
import { gradeName } from '../card/card-facts.ts';
import { unconfirmedWords } from '../card/card-words.ts';
import { usd } from '../format.ts';
import { Section } from '../layout.tsx';
import { Day } from '../price.tsx';
import { type DeskContent, Nothing, Pager } from './desk-page.tsx';
import { type DeskView, wholeIn } from './desk-view.ts';
import { PAGE_ROWS } from './desk-world.ts';
import { CardLink, SaleDecision } from './sale-decision.tsx';

/** `suspects`: recorded sales that a person may want to check, as far as the price model notices them. */
export async function suspectSales(view: DeskView): Promise<DeskContent> {
  const { db } = view.world;
  const offset = wholeIn(view.query, 'offset', 0);
  const doubted = await listDoubted(db, { offset, limit: PAGE_ROWS + 1 });
  const moves = offset === 0 ? await listMoves(db) : [];
  const listed = new Set(moves.flatMap(({ sales }) => sales.map(({ id }) => id)));
  const others = doubted.slice(0, PAGE_ROWS).filter(({ id }) => !listed.has(id));
  return {
    title: 'Suspects',
    main: (
      <>
        <p class="muted">
          What the price model notices by itself. A sale with an ordinary price that is on the wrong card is not found
          here; nor are pictures and catalog entries checked. Duplicates are among the{' '}
          <a href={`${view.base}rejected`}>rejected rows</a>.
        </p>
        {offset === 0 && (
          <Section id="moves" title="Moves that no second sale has confirmed">
            <p class="muted">Among the cards of the newest {SEARCHED_SALES} sales.</p>
            {moves.length === 0 && <Nothing>There is no such move.</Nothing>}
            {moves.map((one) => (
              <Move key={`${one.item.id} ${one.gradeKey}`} suspect={one} view={view} />
            ))}
          </Section>
        )}
        <Section id="doubted" title="Sales far from the expected price">
          <p class="muted">
            Of the last {SUSPECT_DAYS} closed days, down-weighted at their close. Most are honest and need nothing.
          </p>
          {others.length === 0 && <Nothing>There is no other such sale{offset > 0 && ' after these'}.</Nothing>}
          {others.map((sale) => (
            <section key={sale.id} class="desk-item">
              <h3>
                {usd(sale.priceUsdCents)} for <OnCard {...sale} view={view} />
              </h3>
              <Sale sale={sale} view={view} />
            </section>
          ))}
        </Section>
        <Pager
          first={offset === 0 ? null : `${view.base}suspects`}
          next={doubted.length > PAGE_ROWS ? `${view.base}suspects?offset=${offset + PAGE_ROWS}` : null}
        />
      </>
    ),
  };
}

function Move({ suspect: { item, gradeKey, move, sales }, view }: { suspect: SuspectMove; view: DeskView }) {
  return (
    <section class="desk-item">
      <h3>
        <OnCard item={item} gradeKey={gradeKey} view={view} />
      </h3>
      <p>{unconfirmedWords(move)}</p>
      {sales.length === 0 && <p class="small">No sale of it counts any more: the price follows at the next close.</p>}
      {sales.map((sale) => (
        <Sale key={sale.id} sale={sale} view={view} />
      ))}
    </section>
  );
}

function OnCard({ item, gradeKey, view }: Pick<SuspectSale, 'item' | 'gradeKey'> & { view: DeskView }) {
  const grade = gradeByKey(gradeKey);
  return (
    <>
      <CardLink item={item} href={view.world.config.baseUrl + itemHref(item, gradeKey)} />
      {grade !== null && `, ${gradeName(grade.label)}`}
    </>
  );
}

function Sale({ sale, view }: { sale: SuspectSale; view: DeskView }) {
  const { source, saleId, title, soldAt, priceUsdCents, weight, url } = sale;
  return (
    <>
      <p class="small">
        {usd(priceUsdCents)}, sold <Day iso={soldAt.toISOString()} /> · {source} {saleId}
        {title !== null && ` · ${title}`}
        {weight !== null && ` · counted with ${Math.round(weight * 100)}% of its weight`}
        {url !== null && /^https?:/.test(url) && (
          <>
            {' · '}
            <a href={url} rel="noreferrer noopener">
              source
            </a>
          </>
        )}
      </p>
      <details>
        <summary>Decide on this sale</summary>
        <SaleDecision view={view} sale={{ source, saleId }} />
      </details>
    </>
  );
}
