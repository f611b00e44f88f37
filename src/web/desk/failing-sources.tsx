import { type FailingFile, type FailingService, readFailing } from '../../desk/failing.ts';
import { ago, count } from '../format.ts';
import { Section } from '../layout.tsx';
import { Table, type TableColumn } from '../table.tsx';
import { type DeskContent, Nothing } from './desk-page.tsx';
import type { DeskView } from './desk-view.ts';
import { PAGE_ROWS } from './desk-world.ts';

/** `sources`: services that fail or pause, and files of watched folders that could not be imported. */
export async function failingSources({ world: { db, config, clock } }: DeskView): Promise<DeskContent> {
  const nowMs = clock();
  const { services, files, working } = await readFailing(db, config.connections, nowMs);
  return {
    title: 'Sources',
    main: (
      <>
        <p class="muted">
          {count(working)} of {count(working + services.length)} connected services work or were not called yet.
          Connections are a file of the operator; <code>mintmark doctor</code> checks each. A mended file that is put
          into its folder again is imported again.
        </p>
        <Section id="services" title="Services that fail or pause">
          {services.length === 0 ? (
            <Nothing>No service fails.</Nothing>
          ) : (
            <Table columns={serviceColumns(nowMs)} rows={services.slice(0, PAGE_ROWS)} />
          )}
        </Section>
        <Section id="files" title="Files that could not be imported">
          {files.length === 0 ? (
            <Nothing>No file of a watched folder is rejected.</Nothing>
          ) : (
            <Table columns={fileColumns(nowMs)} rows={files.slice(0, PAGE_ROWS)} />
          )}
          {files.length > PAGE_ROWS && <p class="muted">And {files.length - PAGE_ROWS} older files.</p>}
        </Section>
      </>
    ),
  };
}

function serviceColumns(nowMs: number): TableColumn<FailingService>[] {
  const when = (ms: number | null) => (ms === null ? 'never' : ago(new Date(ms).toISOString(), nowMs));
  return [
    { head: 'Service', isName: true, cell: ({ name }) => name },
    { head: 'State', cell: ({ state }) => (state === 'failing' ? 'Its last call failed' : 'Not called for a while') },
    {
      head: 'Last fault',
      cell: ({ health: { lastFaultReason, lastFaultAtMs } }) => (
        <>
          {lastFaultReason ?? '–'}
          <span class="row-note">{when(lastFaultAtMs)}</span>
        </>
      ),
    },
    { head: 'Last success', cell: ({ health: { lastSuccessAtMs } }) => when(lastSuccessAtMs) },
  ];
}

function fileColumns(nowMs: number): TableColumn<FailingFile>[] {
  return [
    {
      head: 'File',
      isName: true,
      cell: ({ file, folder }) => (
        <>
          <span class="desk-row">{file}</span>
          <span class="row-note">{folder}</span>
        </>
      ),
    },
    { head: 'Problem', cell: ({ problem }) => <span class="desk-row">{problem}</span> },
    { head: 'When', cell: ({ at }) => ago(at.toISOString(), nowMs) },
  ];
}
