import type { GameView } from '../../items/games.ts';
import { count } from '../format.ts';
import { Table, type TableColumn } from '../table.tsx';

/** How many languages a row names before it counts the rest. */
const NAMED_LANGUAGES = 2;

/** The games with their counts in the catalog. */
export function GamesTable({ games }: { games: readonly GameView[] }) {
  return (
    <>
      <Table columns={COLUMNS} rows={games} />
      <p class="muted small table-note">
        Cards with sales: those of which a daily close has used a sale. Imported sales are counted after the next close.
      </p>
    </>
  );
}

const COLUMNS: readonly TableColumn<GameView>[] = [
  {
    head: 'Game',
    isName: true,
    cell: ({ game, label }) => (
      <a class="row-link" href={`/card/${game}`}>
        <span class={`swatch blank-${game}`} aria-hidden="true" />
        {label}
      </a>
    ),
  },
  { head: 'Cards', classes: 'num', cell: ({ itemCount }) => count(itemCount) },
  { head: 'Cards with sales', classes: 'num', cell: ({ soldCount }) => count(soldCount) },
  { head: 'Sets', classes: 'num wide-only', cell: ({ setCount }) => count(setCount) },
  { head: 'Languages', classes: 'wide-only muted', cell: languagesOf },
  {
    head: 'Index',
    classes: 'wide-only',
    cell: ({ game, indexed }) => (indexed ? <a href={`/indices/${game}`}>Index</a> : <span class="muted">None</span>),
  },
];

function languagesOf({ languages }: GameView): string {
  const named = languages.slice(0, NAMED_LANGUAGES).map(({ language }) => language);
  const others = languages.length - named.length;
  if (named.length === 0) return 'No cards yet';
  return others === 0 ? named.join(', ') : `${named.join(', ')} and ${others} more`;
}
