import type { Sql } from '../db/client.ts';
import { effectOf, planUndo } from '../desk/undo-words.ts';
import { counted } from '../lib/counted.ts';
import { cutOffBefore, importNow, importOf, type KnownImport, listImports } from '../sales/undoing/imports.ts';
import { undoImport } from '../sales/undoing/undo-import.ts';
import { confirm, type DeciderOptions, deciderOf } from './deciding.ts';
import { type JsonOption, report, tableOf } from './output.ts';
import { agreedToday, CommandError, EXIT, limitOption, withWorld } from './world.ts';

/** `mintmark imports list`: the newest first. */
export async function importsListCommand(options: JsonOption & { kind?: string; limit: string }): Promise<void> {
  const limit = limitOption(options.limit);
  await withWorld(async ({ db }) => {
    const imports = await listImports(db, { kind: options.kind ?? null, limit });
    report(options, { imports }, () =>
      tableOf(
        ['id', 'kind', 'format', 'began', 'rows', 'state', 'files'],
        imports.map((one) => [one.id, one.kind, one.format, one.startedAt, rowsOf(one), stateOf(one), filesOf(one)]),
      ),
    );
  });
}

function rowsOf({ counts }: KnownImport): number | null {
  return typeof counts.rows === 'number' ? counts.rows : typeof counts.records === 'number' ? counts.records : null;
}

function stateOf({ undone, finishedAt, isRunAgain }: KnownImport): string {
  if (undone !== null) return 'undone';
  if (finishedAt !== null) return 'done';
  return isRunAgain ? 'imported again' : 'unfinished';
}

function filesOf({ files }: KnownImport): string {
  return files.length <= 1 ? (files[0] ?? '–') : `${files[0]} and ${files.length - 1} more`;
}

/** @throws CommandError where no import has this id */
export async function importNamed(sql: Sql, id: number): Promise<KnownImport> {
  const known = await importOf(sql, id);
  if (known === null) throw new CommandError(`there is no import ${id}; "mintmark imports list" shows them`);
  return known;
}

/** `mintmark imports show <id>`: what there is of it now. */
export async function importsShowCommand(idText: string, options: JsonOption): Promise<void> {
  const id = importId(idText);
  await withWorld(async ({ db }) => {
    const known = await importNamed(db, id);
    const now = known.kind === 'sales' ? await importNow(db, id) : null;
    report(options, { import: known, now }, () => {
      const { undone } = known;
      const lines = [
        `import ${id}: ${known.kind}, ${known.format}`,
        `began ${known.startedAt.toISOString()}, ${known.finishedAt === null ? 'not finished' : `ended ${known.finishedAt.toISOString()}`}`,
        ...known.files.map((file) => `file ${file}`),
        `its report: ${countsOf(known.counts)}`,
      ];
      if (now !== null)
        lines.push(
          `now: ${counted(now.accepted, 'accepted sale')}, ${now.rejected} rejected, ${now.waiting} waiting, ${counted(now.unreadable, 'row')} that could not be used; ${counted(now.changed, 'earlier sale')} corrected or canceled`,
        );
      if (undone !== null)
        lines.push(`undone by ${undone.by} on ${undone.at.toISOString()} (decision ${undone.decision})`);
      return lines;
    });
  });
}

/** `rows 5, added 3, waiting 1 (number_missing 1)` */
function countsOf(counts: object): string {
  const parts = Object.entries(counts).map(([name, value]) => {
    if (typeof value !== 'object' || value === null) return `${name} ${value}`;
    const reasons = Object.entries(value as Record<string, number>);
    const sum = reasons.reduce((total, [, count]) => total + count, 0);
    return sum === 0
      ? `${name} 0`
      : `${name} ${sum} (${reasons.map(([reason, count]) => `${reason} ${count}`).join(', ')})`;
  });
  return parts.length === 0 ? 'nothing yet' : parts.join(', ');
}

/** `mintmark imports undo <id>`: says what it changes, asks, and takes the import out as a whole. */
export async function importsUndoCommand(
  idText: string,
  options: JsonOption & DeciderOptions & { yes?: boolean },
): Promise<void> {
  const id = importId(idText);
  const decider = deciderOf(options);
  await withWorld(async ({ db }) => {
    if (!options.yes) {
      const planned = await planUndo(db, id, decider, await agreedToday(db));
      if (planned.decision !== null) await confirm(`Undo import ${id}? ${effectOf(planned)}`, options);
    }
    const done = await undoImport(db, id, decider, await agreedToday(db));
    const rest = await cutOffBefore(db, id);
    report(options, { import: id, ...done, cutOff: rest }, () =>
      done.decision === null
        ? [`import ${id} was undone before; nothing changed`]
        : [
            `import ${id} is undone: ${effectOf(done)}`,
            'Sales that no close had used are out of prices at once, the others at the next close ("mintmark reprice" closes every day that is over). Published days stay.',
            'Sales that another file had too are taken out with it: import that file again.',
            ...rest.map(cutOffWords),
            `To take this back: mintmark decisions undo ${done.decision}`,
          ],
    );
  });
}

/** Undoing an import leaves what an earlier one of the same file had brought before it was cut off. */
export function cutOffWords({ id, sales }: { id: number; sales: number }): string {
  return `Import ${id}, which was cut off, had brought ${counted(sales, 'sale')} of the same file: mintmark imports undo ${id} takes ${sales === 1 ? 'it' : 'them'} out too.`;
}

/** The id of an import that an argument states. Throws CommandError for what is not one. */
export function importId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new CommandError(`"${text}" is not the id of an import, such as 12`, EXIT.usage);
  return Number(text);
}
