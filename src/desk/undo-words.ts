import type { Db } from '../db/client.ts';
import type { Decider } from '../decisions/decisions.ts';
import { counted } from '../lib/counted.ts';
import { withoutKeeping } from '../sales/import/dry-run.ts';
import { type UndoReport, undoImport } from '../sales/undoing/undo-import.ts';

/** What undoing an import would do: exactly, since it is done in a transaction of which nothing is kept. */
export function planUndo(db: Db, id: number, decider: Decider, today: number): Promise<UndoReport> {
  return withoutKeeping(db, (on) => undoImport(on, id, decider, today));
}

/** What undoing changes, in a sentence. */
export function effectOf({
  takenOut,
  broughtBack,
  cards,
  prices,
  waiting,
  unreadable,
}: Omit<UndoReport, 'decision'>): string {
  const listed = [
    waiting > 0 && counted(waiting, 'waiting sale'),
    unreadable > 0 && counted(unreadable, 'rejected row'),
  ].filter((part) => part !== false);
  const parts = [
    `${counted(takenOut, 'sale')} taken out`,
    broughtBack > 0 && `${counted(broughtBack, 'sale')} as before it`,
    listed.length > 0 && `${listed.join(' and ')} off the lists`,
  ].filter((part) => part !== false);
  return `${parts.join(', ')}; ${counted(prices, 'price')} of ${counted(cards, 'card')} ${prices === 1 ? 'changes' : 'change'}.`;
}
