import type { Game } from '../../catalog/games.ts';
import type { SetView } from '../../items/sets/set-list.ts';
import { SetName } from '../card/card-facts-line.tsx';
import { count } from '../format.ts';
import { Headings } from '../table.tsx';

/** From so many sets on, years can be jumped to. */
const MANY_SETS = 60;

/** Sets by year, newest first; as they come. */
export function SetsTable({ game, sets, gameLabel }: { game: Game; sets: readonly SetView[]; gameLabel: string }) {
  if (sets.length === 0)
    return (
      <p class="empty">
        The catalog has no {gameLabel} cards yet. They appear here as soon as its operator imports a catalog of them.
      </p>
    );
  const years = [...new Set(sets.map(({ year }) => year))].map((year) => ({
    year,
    sets: sets.filter((set) => set.year === year),
  }));
  // A column of zeros says less than the sentence above it.
  const hasSales = sets.some(({ soldCount }) => soldCount > 0);
  return (
    <>
      {sets.length >= MANY_SETS && <Years years={years.map(({ year }) => year)} />}
      <div class="table-room">
        <table class="list-table sets-table">
          <caption class="unseen">{gameLabel} sets by year, newest first</caption>
          <Headings
            columns={[
              { head: 'Year', classes: 'year' },
              { head: 'Set' },
              { head: 'Code', classes: 'wide-only' },
              { head: 'Language', classes: 'wide-only' },
              { head: 'Cards', classes: 'num' },
              ...(hasSales ? [{ head: 'With sales', classes: 'num' }] : []),
            ]}
          />
          {years.map(({ year, sets: ofYear }) => (
            <tbody key={year} id={anchorOf(year)}>
              {ofYear.map((set, at) => (
                <tr key={set.setSegment}>
                  {at === 0 && (
                    <th scope="rowgroup" rowSpan={ofYear.length} class="year">
                      {year ?? 'No year'}
                    </th>
                  )}
                  <th scope="row">
                    <a class="row-link" href={set.href}>
                      <SetName set={{ ...set, game }} />
                    </a>
                  </th>
                  <td class="wide-only code">{set.setCode}</td>
                  <td class="wide-only muted">{set.language ?? 'Multiple'}</td>
                  <td class="num">{count(set.cardCount)}</td>
                  {hasSales && <td class="num">{count(set.soldCount)}</td>}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </>
  );
}

function Years({ years }: { years: readonly (number | null)[] }) {
  return (
    <nav class="years" aria-label="Years">
      <ul>
        {years.map((year) => (
          <li key={year}>
            <a href={`#${anchorOf(year)}`}>{year ?? 'No year'}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function anchorOf(year: number | null): string {
  return year === null ? 'no-year' : `y${year}`;
}
