import type { detailOf } from '../../indices/detail.ts';
import type { RotationHistory } from '../../indices/history.ts';
import { CardCell } from '../card/card-cell.tsx';
import { briefDay, count, percentMove, percentOf, usdToTheCent } from '../format.ts';
import { Day, Move, Price } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';

export type IndexDetail = Awaited<ReturnType<typeof detailOf>>;
type RotationCard = RotationHistory[number]['added'][number];

/** The cards of a basket by rank, with the contribution of each to the level since the rotation. */
export function Constituents({ constituents }: Pick<IndexDetail, 'constituents'>) {
  return <Table columns={CONSTITUENT_COLUMNS} rows={constituents} />;
}

const CONSTITUENT_COLUMNS: readonly TableColumn<IndexDetail['constituents'][number]>[] = [
  { head: 'Rank', classes: 'num rank muted', cell: ({ rank }) => rank },
  { head: 'Card', isName: true, cell: (card) => <CardCell card={card} /> },
  { head: 'Price', classes: 'num', cell: ({ priceUsdCents }) => <Price cents={priceUsdCents} /> },
  { head: '7 days', classes: 'num', cell: ({ deltaPct }) => <Move percent={deltaPct} over="7 days" /> },
  {
    head: 'Last sold',
    classes: 'wide-only',
    cell: ({ lastSaleAt }) => lastSaleAt !== null && <Day iso={lastSaleAt} />,
  },
  {
    head: 'Sold in 90 days',
    classes: 'num wide-only',
    cell: ({ turnover90UsdCents }) => usdToTheCent(turnover90UsdCents),
  },
  { head: 'Weight', classes: 'num wide-only', cell: ({ weight }) => percentOf(weight * 100, 2) },
  {
    head: 'Contribution',
    classes: 'num wide-only',
    cell: ({ contribution }) => percentMove(Math.expm1(contribution) * 100, 2),
  },
];

/** The cards added and removed by each rotation, newest first. */
export function Rotations({ history }: { history: RotationHistory }) {
  return (
    <div class="rotations">
      {history.map((rotation, at) => (
        <details key={rotation.date} open={at === 0}>
          <summary>
            <strong>{briefDay(rotation.date)}</strong> <span class="muted">{changeOf(rotation)}</span>
          </summary>
          {!rotation.rotationSkipped && (
            <div class="rotation-cards">
              <RotationCards title="In" cards={rotation.added} />
              <RotationCards title="Out" cards={rotation.removed} />
            </div>
          )}
        </details>
      ))}
    </div>
  );
}

function changeOf({ rotationSkipped, added, removed, eligible }: RotationHistory[number]): string {
  const among = `${count(eligible)} eligible`;
  return rotationSkipped
    ? `skipped: ${among}, too few to choose from; the basket before continues`
    : `${added.length} in, ${removed.length} out of ${among}`;
}

function RotationCards({ title, cards }: { title: string; cards: readonly RotationCard[] }) {
  return (
    <div>
      <h3>{title}</h3>
      {cards.length === 0 ? (
        <p class="muted">None</p>
      ) : (
        <ul class="plain">
          {cards.map((card) => (
            <li key={card.id}>
              <CardCell card={card} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The open data of an index, also listed in its Dataset. */
export const DOWNLOADS = [
  ['levels', 'Levels', 'Every day’s level, divisor, turnover and correction'],
  ['baskets', 'Baskets', 'Every basket with weights, divisors and unrounded prices'],
  ['prices', 'Prices', 'Prices used at the last close, by card'],
] as const;

export function Downloads({ slug }: { slug: string }) {
  return (
    <ul class="downloads">
      {DOWNLOADS.map(([name, title, what]) => (
        <li key={name}>
          <span>
            <strong>{title}</strong> <span class="muted">{what}</span>
          </span>
          <span class="download-links">
            <a href={`/v1/indices/${slug}/${name}.csv`} download>
              CSV<span class="unseen"> of {name}</span>
            </a>
            <a href={`/v1/indices/${slug}/${name}.json`} download>
              JSON<span class="unseen"> of {name}</span>
            </a>
          </span>
        </li>
      ))}
    </ul>
  );
}
