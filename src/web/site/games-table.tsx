import type { GameView } from '../../items/games.ts';
import { count } from '../format.ts';
import { Headings } from '../headings.tsx';

/** How many languages a row names before it counts the rest. */
const NAMED_LANGUAGES = 2;

/** The games with what the catalog has of each. */
export function GamesTable({ games }: { games: readonly GameView[] }) {
  return (
    <table class="list-table">
      <Headings
        columns={[
          'Game',
          ['Cards', 'num'],
          ['With sales', 'num'],
          ['Sets', 'num wide-only'],
          ['Languages', 'wide-only'],
          ['Index', 'wide-only'],
        ]}
      />
      <tbody>
        {games.map((one) => (
          <tr key={one.game}>
            <th scope="row">
              <a class="row-link" href={`/card/${one.game}`}>
                <span class={`swatch blank-${one.game}`} aria-hidden="true" />
                {one.label}
              </a>
            </th>
            <td class="num">{count(one.itemCount)}</td>
            <td class="num">{count(one.soldCount)}</td>
            <td class="num wide-only">{count(one.setCount)}</td>
            <td class="wide-only muted">{languagesOf(one)}</td>
            <td class="wide-only">
              {one.indexed ? <a href={`/indices/${one.game}`}>Index</a> : <span class="muted">None</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function languagesOf({ languages }: GameView): string {
  const named = languages.slice(0, NAMED_LANGUAGES).map(({ language }) => language);
  const others = languages.length - named.length;
  if (named.length === 0) return 'No cards yet';
  return others === 0 ? named.join(', ') : `${named.join(', ')} and ${others} more`;
}
