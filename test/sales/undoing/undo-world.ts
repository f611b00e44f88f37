import type { Db } from '../../../src/db/client.ts';
import { takeBack } from '../../../src/desk/take-back.ts';
import { tradesOf } from '../../../src/sales/ledger.ts';
import { undoImport } from '../../../src/sales/undoing/undo-import.ts';
import { csv, importFile, rowOf, type SalesFiles, TODAY } from '../import-world.ts';

export const ADA = { by: 'ada', why: 'the file was wrong' };

/** Imports and decisions by name, as the words of a script leave them. */
export type Scripted = {
  db: Db;
  item: string;
  files: SalesFiles;
  /** Days pass between the words of a script. */
  today: number;
  imports: Map<string, number>;
};

/**
 * Runs a script of one sale, word by word: `A=100` is an import named A that reports it for $100, `V!` one that cancels it,
 * `-A` undoes the import, `+A` takes that back.
 */
export async function runScript(world: Scripted, script: string): Promise<void> {
  for (const word of script.split(' ')) await runWord(world, word);
}

export async function runWord({ db, item, files, today, imports }: Scripted, word: string): Promise<void> {
  const [, reported, price] = /^(\w+)(?:=(\d+)|!)$/.exec(word) ?? [];
  if (reported !== undefined) {
    const row = rowOf(item, { price: price ?? '100', status: price === undefined ? 'voided' : '', sale_id: item });
    imports.set(reported, (await importFile(db, files.write(csv(row)), today)).report.importId);
    return;
  }
  const id = imports.get(word.slice(1))!;
  if (word.startsWith('-')) await undoImport(db, id, ADA, today);
  else {
    const [row] = await db.query<{ undone: number }>('select undone_by as undone from imports where id = $1', [id]);
    await takeBack(db, row!.undone, ADA, today);
  }
}

export function scripted(db: Db, item: string, files: SalesFiles, today = TODAY): Scripted {
  return { db, item, files, today, imports: new Map() };
}

/** The current state of every sale of a card, as people see it, sorted: `$100`, or the reason for which it is out. */
export async function seen(db: Db, itemId: string): Promise<string[]> {
  const query = { itemId, gradeKey: null, sourceId: null, fromDay: null, afterSaleId: null, limit: 100 };
  const { trades } = await tradesOf(db, query, () => Buffer.alloc(32));
  return trades
    .map(({ disposition, dispositionReason, priceMinor }) =>
      disposition === 'refused' ? dispositionReason! : `$${priceMinor / 100}`,
    )
    .sort();
}
