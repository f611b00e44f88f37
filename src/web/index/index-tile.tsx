import type { IndexTile } from '../../indices/tiles.ts';
import { level } from '../format.ts';
import { Day, Move, MoveFact, Spark } from '../price.tsx';

/** Indices side by side: level, 30 days, moves. */
export function IndexTiles({ tiles, heading }: { tiles: readonly IndexTile[]; heading: 'h2' | 'h3' }) {
  const Heading = heading;
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
      </p>
    </>
  );
}

/** Why an index has no level. */
function Computing() {
  return (
    <p class="muted small">
      Not started yet. The index begins once enough cards trade often enough to represent the market.
    </p>
  );
}

/** One index in a line, on the page of its game. */
export function IndexStrip({ tile }: { tile: IndexTile }) {
  return (
    <p class="index-strip">
      <a href={`/indices/${tile.slug}`}>{tile.label} index</a>
      {tile.value === null ? (
        <span class="muted">no level yet</span>
      ) : (
        <>
          <strong>{level(tile.value)}</strong>
          <Move percent={tile.deltas.d30} over="30 days" />
          <span class="muted">
            close of <Day iso={tile.sparkline.at(-1)!.t} />
          </span>
        </>
      )}
    </p>
  );
}
