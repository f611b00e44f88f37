import { type KeptDecision, listDecisions } from '../../decisions/decisions.ts';
import { Day } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';
import { type DeskContent, FormParts, Nothing, Pager } from './desk-page.tsx';
import { type DeskView, wholeIn } from './desk-view.ts';
import { PAGE_ROWS } from './desk-world.ts';

/** `decisions`: what was decided, here or by a command, the newest first; each can be taken back. */
export async function decisionList(view: DeskView): Promise<DeskContent> {
  const before = wholeIn(view.query, 'before', null);
  const decisions = await listDecisions(view.world.db, { before, limit: PAGE_ROWS + 1 });
  const shown = decisions.slice(0, PAGE_ROWS);
  const columns: TableColumn<KeptDecision>[] = [
    {
      head: 'Decision',
      isName: true,
      cell: (decision) => (
        <>
          {whatOf(decision)} <span class="row-note">{decision.subject}</span>
        </>
      ),
    },
    {
      head: 'By',
      cell: ({ decidedBy, decidedAt, why }) => (
        <>
          {decidedBy}, <Day iso={decidedAt.toISOString()} />
          {why !== null && <span class="row-note">{why}</span>}
        </>
      ),
    },
    { head: 'Take back', cell: (decision) => <TakeBack decision={decision} view={view} /> },
  ];
  return {
    title: 'Decisions',
    main: (
      <>
        <p class="muted">Everything that was decided here or by a command. What is taken back stays in the list.</p>
        {shown.length === 0 ? <Nothing>Nothing was decided yet.</Nothing> : <Table columns={columns} rows={shown} />}
        <Pager
          first={before === null ? null : `${view.base}decisions`}
          next={decisions.length > PAGE_ROWS ? `${view.base}decisions?before=${shown.at(-1)!.id}` : null}
        />
      </>
    ),
  };
}

const WHAT: Readonly<Record<KeptDecision['kind'], string>> = {
  undo_import: 'Import undone',
  match_sale: 'Sale put on a card',
  drop_sale: 'Sale dropped',
  application: 'Application',
  report: 'Report',
  pause_service: 'Service paused',
  identity_suspect: 'Suspect',
  title_alias: 'Name taught',
};

function whatOf({ id, kind, facts }: KeptDecision): string {
  return `${id}: ${WHAT[kind]}${typeof facts.state === 'string' ? ` ${facts.state}` : ''}`;
}

function TakeBack({
  decision: { id, takenBackAt, takenBackBy, takenBackWhy },
  view,
}: {
  decision: KeptDecision;
  view: DeskView;
}) {
  if (takenBackAt !== null)
    return (
      <>
        Taken back by {takenBackBy}, <Day iso={takenBackAt.toISOString()} />
        {takenBackWhy !== null && <span class="row-note">{takenBackWhy}</span>}
      </>
    );
  return (
    <details>
      <summary>Take back</summary>
      <form method="post" action={`${view.base}do/take-back`} class="desk-form" aria-label={`Take decision ${id} back`}>
        <input type="hidden" name="id" value={id} />
        <FormParts token={view.token} back={view.back} id={`decision-${id}`} why={{ label: 'Why' }} />
        <button type="submit">Take back</button>
      </form>
    </details>
  );
}
