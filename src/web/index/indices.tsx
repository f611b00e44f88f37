import { INDEXED_GAMES } from '../../catalog/games.ts';
import { publicIndices, subIndicesOf } from '../../indices/rows.ts';
import { type IndexTile, tilesOf } from '../../indices/tiles.ts';
import { count, level } from '../format.ts';
import { Section } from '../layout.tsx';
import type { Page } from '../page.ts';
import { Day, Move } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';
import { IndexTiles } from './index-tile.tsx';

/** `/indices`: the market indices side by side. */
export const indicesPage: Page = {
  path: '/indices',
  maxAgeSeconds: 60,
  async answer(context) {
    const { db } = context;
    const [own, narrower] = await Promise.all([publicIndices(db), subIndicesOf(db, INDEXED_GAMES)]);
    const rows = [...own, ...narrower];
    const tiles = await tilesOf(db, rows);
    const ofGames = tiles.slice(0, own.length);
    const others = tiles.slice(own.length);
    return {
      title: 'Market indices',
      description: `How the market moves: indices of ${own.map(({ label }) => label).join(', ')}, computed each day from recorded sales by a published rulebook.`,
      path: '/indices',
      section: 'indices',
      main: (
        <div class="wrap">
          <div class="page-head">
            <h1>Market indices</h1>
            <p class="lead">
              Each index tracks the average price move of a game's most-traded cards, equally weighted, starting at
              10,000. <a href="/methodology/index">The rulebook</a> and <a href="/research">our test results</a> are
              public, and every number can be reproduced.
            </p>
          </div>
          <IndexTiles tiles={ofGames} heading="h2" />
          {ofGames.some(({ value }) => value !== null) && (
            <Section id="compare" title="Comparison">
              <Table columns={COMPARED} rows={ofGames} />
            </Section>
          )}
          {others.length > 0 && (
            <Section id="narrower" title="Narrower indices">
              <Table columns={COMPARED} rows={others} />
            </Section>
          )}
        </div>
      ),
    };
  },
};

const moveOver = (head: string, days: keyof IndexTile['deltas'], classes = 'num'): TableColumn<IndexTile> => ({
  head,
  classes,
  cell: ({ deltas }) => <Move percent={deltas[days]} over={head} />,
});

const COMPARED: readonly TableColumn<IndexTile>[] = [
  {
    head: 'Index',
    isName: true,
    cell: ({ slug, label }) => (
      <a class="row-link" href={`/indices/${slug}`}>
        {label}
      </a>
    ),
  },
  {
    head: 'Level',
    classes: 'num',
    cell: ({ value }) => (value === null ? <span class="muted">No level yet</span> : level(value)),
  },
  moveOver('7 days', 'd7'),
  moveOver('30 days', 'd30'),
  moveOver('1 year', 'd365', 'num wide-only'),
  {
    head: 'Cards',
    classes: 'num wide-only',
    cell: ({ value, constituentCount }) => value !== null && count(constituentCount),
  },
  {
    head: 'Close of',
    classes: 'wide-only',
    cell: ({ value, sparkline }) => value !== null && <Day iso={sparkline.at(-1)!.t} />,
  },
];
