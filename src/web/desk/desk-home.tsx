import type { DeskCounts } from '../../desk/desk-counts.ts';
import { type DeskContent, waitingText } from './desk-page.tsx';

const LINES: readonly (readonly [keyof DeskCounts, string, string])[] = [
  ['unmatched', 'unmatched', 'Sales whose card could not be identified, with the cards that each may be of.'],
  ['suspects', 'suspects', 'Recorded sales that are far from the expected price.'],
  ['identities', 'identities', 'Prices and ids that may be on the wrong card, as the audit finds them.'],
  ['reports', 'reports', 'Reports from readers of wrong prices and cards.'],
  ['applications', 'applications', 'Applications of partners for a key.'],
  ['rejected', 'rejected', 'Rows of files that are in no price, with their line and reason.'],
  [
    'failing',
    'sources',
    'Services that fail, and files of watched folders that could not be imported; a service can be paused.',
  ],
];

/** The first page: how much waits. */
export function deskHome(counts: DeskCounts, base: string): DeskContent {
  const isDone = Object.values(counts).every((waiting) => waiting === 0);
  return {
    title: 'What waits for you',
    main: (
      <>
        {isDone && <p class="notice">Nothing waits for a decision.</p>}
        <ul class="desk-waiting">
          {LINES.map(([counted, path, words]) => (
            <li key={path}>
              <a href={base + path}>
                <strong class={counts[counted] === 0 ? 'muted' : undefined}>{waitingText(counts[counted])}</strong>
                <span>{words}</span>
              </a>
            </li>
          ))}
        </ul>
        <p class="muted">
          Every decision is kept with your name and reason, can be <a href={`${base}decisions`}>taken back</a>, and is
          also a command: <code>mintmark --help</code> lists them.
        </p>
      </>
    ),
  };
}
