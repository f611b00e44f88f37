import { CannotDecide } from '../../decisions/decisions.ts';
import { effectOf, planUndo } from '../../desk/undo-words.ts';
import { counted } from '../../lib/counted.ts';
import { dayOf } from '../../lib/day.ts';
import { importNow, importOf, type KnownImport, listImports } from '../../sales/undoing/imports.ts';
import { count } from '../format.ts';
import { Day } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';
import { type DeskContent, FormParts, Nothing, Pager } from './desk-page.tsx';
import { type DeskView, wholeIn } from './desk-view.ts';
import { PAGE_ROWS } from './desk-world.ts';

/** `imports`: of files, the newest first; `?id=` one of them, with what undoing it would change. */
export async function knownImports(view: DeskView): Promise<DeskContent> {
  const id = wholeIn(view.query, 'id', null);
  const known = id === null ? null : await importOf(view.world.db, id);
  if (known !== null) return await oneImport(view, known);
  const before = wholeIn(view.query, 'before', null);
  const imports = await listImports(view.world.db, { kind: null, before, limit: PAGE_ROWS + 1 });
  const shown = imports.slice(0, PAGE_ROWS);
  const columns: TableColumn<KnownImport>[] = [
    { head: 'Import', isName: true, cell: ({ id }) => <a href={`${view.base}imports?id=${id}`}>{id}</a> },
    {
      head: 'Of',
      cell: ({ kind, format, files }) => (
        <>
          {kind}, {format}
          {files[0] !== undefined && (
            <span class="row-note">
              {files[0]}
              {files.length > 1 && ` and ${files.length - 1} more`}
            </span>
          )}
        </>
      ),
    },
    { head: 'Began', cell: ({ startedAt }) => <Day iso={startedAt.toISOString()} /> },
    { head: 'State', cell: stateOf },
  ];
  return {
    title: 'Imports',
    main: (
      <>
        {id !== null && <p class="notice notice-fault">There is no import {id}.</p>}
        {shown.length === 0 ? <Nothing>Nothing was imported yet.</Nothing> : <Table columns={columns} rows={shown} />}
        <Pager
          first={before === null ? null : `${view.base}imports`}
          next={imports.length > PAGE_ROWS ? `${view.base}imports?before=${shown.at(-1)!.id}` : null}
        />
      </>
    ),
  };
}

function stateOf({ undone, finishedAt, isRunAgain }: KnownImport): string {
  if (undone !== null) return `undone by ${undone.by}`;
  if (finishedAt !== null) return 'done';
  return isRunAgain ? 'not finished; imported again' : 'not finished';
}

async function oneImport(view: DeskView, known: KnownImport): Promise<DeskContent> {
  const { db, by, clock } = view.world;
  const { id, kind, format, files, startedAt, undone } = known;
  const now = kind === 'sales' ? await importNow(db, id) : null;
  const plan =
    undone !== null ? null : await planUndo(db, id, { by, why: null }, dayOf(clock())).then(effectOf, whyNotUndone);
  return {
    title: `Import ${id}`,
    main: (
      <>
        <p class="muted">
          {kind}, {format}, began <Day iso={startedAt.toISOString()} />, {stateOf(known)}
        </p>
        {files.length > 0 && (
          <ul>
            {files.slice(0, PAGE_ROWS).map((file) => (
              <li key={file}>
                <code>{file}</code>
              </li>
            ))}
          </ul>
        )}
        {now !== null && (
          <p>
            Now: {counted(now.accepted, 'accepted sale')},{' '}
            <a href={`${view.base}rejected?import=${id}`}>{count(now.rejected)} rejected</a>, {count(now.waiting)}{' '}
            waiting, {counted(now.unreadable, 'row')} that cannot be read; {counted(now.changed, 'earlier sale')}{' '}
            corrected or canceled.
          </p>
        )}
        {undone !== null && (
          <p>
            It was undone{undone.why !== null && `: ${undone.why}`}.{' '}
            <a href={`${view.base}decisions`}>Decision {undone.decision}</a> can be taken back.
          </p>
        )}
        {plan instanceof CannotDecide && <p class="notice notice-fault">{plan.message}</p>}
        {typeof plan === 'string' && (
          <form method="post" action={`${view.base}do/import`} class="desk-form" aria-label={`Undo import ${id}`}>
            <h2>Undo it as a whole</h2>
            <p>
              {plan} Published days stay as they were; prices follow at the next close. Nothing is deleted, and the
              decision can be taken back.
            </p>
            <input type="hidden" name="id" value={id} />
            <FormParts token={view.token} back={view.back} id={`import-${id}`} why={{ label: 'Why' }} />
            <button type="submit">Undo import {id}</button>
          </form>
        )}
      </>
    ),
  };
}

function whyNotUndone(error: unknown): CannotDecide {
  if (error instanceof CannotDecide) return error;
  throw error;
}
