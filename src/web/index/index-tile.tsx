import type { IndexTile } from '../../indices/tiles.ts';
import { level } from '../format.ts';
import { Day, Move, MoveFact, Spark } from '../price.tsx';
import { SilentTile } from './silent-basket.tsx';

/** Indices side by side: level, 30 days, moves. */
export function IndexTiles({ tiles, heading }: { tiles: readonly IndexTile[]; heading: 'h2' | 'h3' }) {
  const Heading = heading;
  if (tiles.every(({ value }) => value === null)) return <NoneStarted tiles={tiles} />;
  return (
    <ul class="index-tiles">
      {tiles.map((tile) => (
        <li key={tile.slug} class="index-tile">
          <Heading>
            <a href={`/indices/${tile.slug}`}>{tile.label}</a>
          </Heading>
          {tile.value === null ? <Computing /> : <Level tile={tile} value={tile.value} />}
        </li>
      ))}
    </ul>
  );
}

function Level({ tile, value }: { tile: IndexTile; value: number }) {
  return (
    <>
      <p class="index-level">{level(value)}</p>
      <Spark values={tile.sparkline.map((point) => point.value)} />
      <dl class="index-moves">
        <MoveFact percent={tile.deltas.d7} over="7 days" />
        <MoveFact percent={tile.deltas.d30} over="30 days" />
      </dl>
      <p class="index-close">
        Close of <Day iso={tile.sparkline.at(-1)!.t} />
        <SilentTile newestSaleAt={tile.newestSaleAt} closeIso={tile.sparkline.at(-1)!.t} />
      </p>
    </>
  );
}

const BEGIN = 'once enough cards trade often enough to represent the market.';

/** In place of tiles that would all say the same. */
function NoneStarted({ tiles }: { tiles: readonly IndexTile[] }) {
  return (
    <p class="empty">
      No index has started yet. Each begins on the first of a month, {BEGIN}{' '}
      {tiles.map(({ slug, label }, at) => (
        <>
          {at > 0 && ', '}
          <a key={slug} href={`/indices/${slug}`}>
            {label}
          </a>
        </>
      ))}
    </p>
  );
}

/** Why an index has no level. */
function Computing() {
  return <p class="muted small">Not started yet. The index begins {BEGIN}</p>;
}

/** One index in a line, on the page of its game. */
export function IndexStrip({ tile }: { tile: IndexTile }) {
  return (
    <p class="index-strip">
      <a href={`/indices/${tile.slug}`}>{tile.label} index</a>
      {tile.value === null ? (
        <span class="muted">not started yet</span>
      ) : (
        <>
          <strong>{level(tile.value)}</strong>
          <span>
            <Move percent={tile.deltas.d30} over="30 days" />{' '}
            <span class="muted" aria-hidden="true">
              in 30 days
            </span>
          </span>
          <span class="muted">
            close of <Day iso={tile.sparkline.at(-1)!.t} />
          </span>
        </>
      )}
    </p>
  );
}
