import type { IndexDetail } from '../../indices/detail.ts';
import type { RotationHistory } from '../../indices/history.ts';
import { CardCell } from '../card/card-cell.tsx';
import { briefDay, count, percentMove, usdToTheCent } from '../format.ts';
import { Day, Move, Price } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';

type RotationCard = RotationHistory[number]['added'][number];

type BasketCard = IndexDetail['constituents'][number];

/** The cards of a basket by rank, with the contribution of each to the level since the rotation on a day. */
export function Constituents({ constituents, since }: { constituents: readonly BasketCard[]; since: string }) {
  const contribution: TableColumn<BasketCard> = {
    head: `Contribution since ${since}`,
    classes: 'num wide-only',
    cell: contributionOf,
  };
  return <Table columns={[...CONSTITUENT_COLUMNS, contribution]} rows={constituents} />;
}

function contributionOf(card: BasketCard): string {
  return percentMove(percentOfLevel(card), 2);
}

function percentOfLevel({ contribution }: BasketCard): number {
  return Math.expm1(contribution) * 100;
}

/** How many cards are named that raised the level, and that lowered it. */
const TOP = 5;
/** Percent. Less reads as `0.00%`, which moved nothing. */
const LEAST_PERCENT = 0.005;

/** The cards that moved the level most since the rotation, up and down. */
export function Contributors({ constituents }: { constituents: readonly BasketCard[] }) {
  const sorted = constituents.toSorted((a, b) => b.contribution - a.contribution);
  const up = sorted.filter((card) => percentOfLevel(card) >= LEAST_PERCENT).slice(0, TOP);
  const down = sorted.filter((card) => percentOfLevel(card) <= -LEAST_PERCENT).slice(-TOP);
  return (
    <div class="contributors">
      <ContributorList title="Up" cards={up} />
      <ContributorList title="Down" cards={down.toReversed()} />
    </div>
  );
}

function ContributorList({ title, cards }: { title: string; cards: readonly BasketCard[] }) {
  return (
    <div>
      <h3>{title}</h3>
      {cards.length === 0 ? (
        <p class="muted">None</p>
      ) : (
        <ul class="plain">
          {cards.map((card) => (
            <li key={card.id}>
              <div>
                <CardCell card={{ ...card, id: undefined }} />
              </div>
              <span class={card.contribution > 0 ? 'move up' : 'move down'}>{contributionOf(card)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const CONSTITUENT_COLUMNS: readonly TableColumn<BasketCard>[] = [
  { head: 'Rank', classes: 'num rank muted', cell: ({ rank }) => rank },
  { head: 'Card', isName: true, cell: (card) => <CardCell card={card} /> },
  {
    head: 'Price',
    classes: 'num',
    cell: ({ priceUsdCents, deltaPct }) => (
      <>
        <Price cents={priceUsdCents} />
        <span class="phone-only small">
          <Move percent={deltaPct} over="7 days" />
        </span>
      </>
    ),
  },
  { head: '7 days', classes: 'num wide-only', cell: ({ deltaPct }) => <Move percent={deltaPct} over="7 days" /> },
  {
    head: 'Last sold',
    classes: 'widest-only',
    cell: ({ lastSaleAt }) => lastSaleAt !== null && <Day iso={lastSaleAt} />,
  },
  {
    head: 'Sold in 90 days',
    classes: 'num widest-only',
    cell: ({ turnover90UsdCents }) => usdToTheCent(turnover90UsdCents),
  },
];

const SHOWN_ROTATIONS = 6;

/** The cards added and removed by the last rotations, newest first. */
export function Rotations({ history }: { history: RotationHistory }) {
  return (
    <div class="rotations">
      {history.slice(0, SHOWN_ROTATIONS).map((rotation, at) => (
        <details key={rotation.date} open={at === 0}>
          <summary>
            <strong class="number">{briefDay(rotation.date)}</strong> <span class="muted">{changeOf(rotation)}</span>
          </summary>
          {!rotation.rotationSkipped && (
            <div class="rotation-cards">
              <RotationCards title="Added" cards={rotation.added} />
              <RotationCards title="Removed" cards={rotation.removed} />
            </div>
          )}
        </details>
      ))}
    </div>
  );
}

function changeOf({ rotationSkipped, added, removed, eligible }: RotationHistory[number]): string {
  const among = `${count(eligible)}\u00a0eligible`;
  return rotationSkipped
    ? `skipped: ${among}, too few to choose from; the basket before continues`
    : `${added.length} added, ${removed.length} removed (${among})`;
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
              <CardCell card={{ ...card, id: undefined }} />
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
