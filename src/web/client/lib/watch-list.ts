import { UUID } from '../../../lib/uuid.ts';

/** The watchlist: kept in this browser's storage alone. */

export type Watched = { id: string; quantity: number; costUsdCents: number | null };

/** As many as one request of summaries takes. */
export const MAX_WATCHED = 300;
const KEY = 'watchlist';
/** What is watched, in the order it was added; none where the storage is closed or its content is not ours. */
export function readWatched(): Watched[] {
  try {
    return parseWatched(localStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

/** False where the browser keeps nothing for this site. */
export function keepWatched(list: readonly Watched[]): boolean {
  try {
    localStorage.setItem(KEY, textOf(list));
    return true;
  } catch {
    return false;
  }
}

/** The list as a file has it. */
export function textOf(list: readonly Watched[]): string {
  return `${JSON.stringify(list, null, 2)}\n`;
}

/** A list from a text. Throws for one that is not a watchlist; entries beyond the limit and repeated ones are left out. */
export function parseWatched(text: string): Watched[] {
  const read: unknown = JSON.parse(text);
  if (!Array.isArray(read)) throw new Error('not a list');
  const list = new Map<string, Watched>();
  for (const one of read) {
    const { id, quantity = 1, costUsdCents = null } = one as Partial<Watched>;
    if (typeof id !== 'string' || !UUID.test(id)) throw new Error('not a card');
    if (!isCount(quantity, 1, 9999) || !(costUsdCents === null || isCount(costUsdCents, 0, 1e11)))
      throw new Error('not a quantity or a cost');
    if (list.size < MAX_WATCHED) list.set(id, { id, quantity, costUsdCents });
  }
  return [...list.values()];
}

function isCount(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
}
