import { INDEXED_GAMES } from '../../catalog/games.ts';
import { publicIndices, subIndicesOf } from '../../indices/rows.ts';
import { type IndexTile, tilesOf } from '../../indices/tiles.ts';
import { count, level } from '../format.ts';
import { Headings } from '../headings.tsx';
import { pageText, Section } from '../layout.tsx';
import type { Page } from '../page.ts';
import { Day, Move } from '../price.tsx';
import { siteOf } from '../site/site.ts';
import { IndexTiles } from './index-tile.tsx';

/** `/indices`: the market indices side by side. */
export const indicesPage: Page = {
  path: '/indices',
  type: 'text/html',
  maxAgeSeconds: 60,
  async answer(context) {
    const { db } = context;
    const [own, narrower] = await Promise.all([
      publicIndices(db),
      Promise.all(INDEXED_GAMES.map((game) => subIndicesOf(db, game))).then((all) => all.flat()),
    ]);
    const rows = [...own, ...narrower];
    const tiles = await tilesOf(db, rows);
    const ofGames = tiles.slice(0, own.length);
    const others = tiles.slice(own.length);
    const body = pageText(siteOf(context), {
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
          <Section id="compare" title="Comparison">
            <Comparison tiles={ofGames} />
          </Section>
          {others.length > 0 && (
            <Section id="narrower" title="Narrower indices">
              <Comparison tiles={others} />
            </Section>
          )}
        </div>
      ),
    });
    return { body };
  },
};

function Comparison({ tiles }: { tiles: readonly IndexTile[] }) {
  return (
    <section class="scroll-x" aria-label="Indices compared" tabIndex={0}>
      <table class="list-table">
        <Headings
          columns={[
            'Index',
            ['Level', 'num'],
            ['7 days', 'num'],
            ['30 days', 'num'],
            ['1 year', 'num'],
            ['Cards', 'num'],
            'Close of',
          ]}
        />
        <tbody>
          {tiles.map((tile) => (
            <tr key={tile.slug}>
              <th scope="row">
                <a class="row-link" href={`/indices/${tile.slug}`}>
                  {tile.label}
                </a>
              </th>
              {tile.value === null ? (
                <td colSpan={6} class="muted">
                  No level yet
                </td>
              ) : (
                <>
                  <td class="num">{level(tile.value)}</td>
                  <td class="num">
                    <Move percent={tile.deltas.d7} over="7 days" />
                  </td>
                  <td class="num">
                    <Move percent={tile.deltas.d30} over="30 days" />
                  </td>
                  <td class="num">
                    <Move percent={tile.deltas.d365} over="1 year" />
                  </td>
                  <td class="num">{count(tile.constituentCount)}</td>
                  <td>
                    <Day iso={tile.sparkline.at(-1)!.t} />
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
