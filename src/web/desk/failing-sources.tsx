import { type FailingFile, type KnownService, readFailingFiles, readServices } from '../../desk/failing.ts';
import { counted } from '../../lib/counted.ts';
import { ago } from '../format.ts';
import { Section } from '../layout.tsx';
import { Table, type TableColumn } from '../table.tsx';
import { type DeskContent, FormParts, Nothing } from './desk-page.tsx';
import type { DeskView } from './desk-view.ts';
import { PAGE_ROWS } from './desk-world.ts';

/** `sources`: the services that are called, and files of watched folders that could not be imported. */
export async function failingSources(view: DeskView): Promise<DeskContent> {
  const { db, config, clock } = view.world;
  const nowMs = clock();
  const [services, files] = await Promise.all([
    readServices(db, config.connections, nowMs),
    readFailingFiles(db, config.connections),
  ]);
  return {
    title: 'Sources',
    main: (
      <>
        <p class="muted">
          Connections are a file of the operator; <code>mintmark doctor</code> checks each. A mended file that is put
          into its folder again is imported again.
        </p>
        <Section id="services" title="Services">
          {services.length === 0 ? (
            <Nothing>No service is connected.</Nothing>
          ) : (
            <Table columns={serviceColumns(view, nowMs)} rows={services.slice(0, PAGE_ROWS)} />
          )}
        </Section>
        <Section id="files" title="Files that could not be imported">
          {files.length === 0 ? (
            <Nothing>No file of a watched folder is rejected.</Nothing>
          ) : (
            <Table columns={fileColumns(nowMs)} rows={files.slice(0, PAGE_ROWS)} />
          )}
          {files.length > PAGE_ROWS && <p class="muted">And {counted(files.length - PAGE_ROWS, 'older file')}.</p>}
        </Section>
      </>
    ),
  };
}

const STATES: Readonly<Record<KnownService['state'], string>> = {
  failing: 'Its last call failed',
  resting: 'Not called for a while',
  paused: 'Paused',
  ok: 'Works',
  unused: 'Not called yet',
};

const FAULTS: ReadonlyMap<string, string> = new Map([
  ['timeout', 'no answer in time'],
  ['unreachable', 'not reached'],
  ['server_error', 'its own error'],
  ['unauthorized', 'wrong credentials'],
  ['rate_limited', 'too many calls'],
  ['refused', 'not allowed to be called'],
  ['too_large', 'answer too large'],
]);

function serviceColumns(view: DeskView, nowMs: number): TableColumn<KnownService>[] {
  const when = (ms: number) => ago(new Date(ms).toISOString(), nowMs);
  return [
    { head: 'Service', isName: true, cell: ({ name }) => name },
    {
      head: 'State',
      cell: ({ state, health }) => (
        <>
          {STATES[state]}
          {health !== null && health.lastSuccessAtMs !== null && (
            <span class="row-note">answered {when(health.lastSuccessAtMs)}</span>
          )}
        </>
      ),
    },
    {
      head: 'Last fault',
      cell: ({ health }) =>
        health === null || health.lastFaultAtMs === null ? (
          '–'
        ) : (
          <>
            {FAULTS.get(health.lastFaultReason!) ?? health.lastFaultReason}
            <span class="row-note">{when(health.lastFaultAtMs)}</span>
          </>
        ),
    },
    { head: 'Calls', cell: (service) => <CallForms service={service} view={view} /> },
  ];
}

/** What each button asks for: the field `what` of the form. */
const BUTTONS: Readonly<Record<KnownService['state'], readonly (readonly [what: string, label: string])[]>> = {
  failing: [
    ['retry', 'Call it again now'],
    ['pause', 'Pause'],
  ],
  resting: [
    ['retry', 'Call it again now'],
    ['pause', 'Pause'],
  ],
  paused: [['resume', 'Resume']],
  ok: [['pause', 'Pause']],
  unused: [['pause', 'Pause']],
};

function CallForms({ service: { id, name, state }, view }: { service: KnownService; view: DeskView }) {
  return (
    <details>
      <summary>Change</summary>
      <form method="post" action={`${view.base}do/service`} class="desk-form" aria-label={`Calls of ${name}`}>
        <input type="hidden" name="id" value={id} />
        <FormParts token={view.token} back={view.back} id={`service-${id}`} why={{ label: 'Why' }} />
        {BUTTONS[state].map(([what, label]) => (
          <button key={what} type="submit" name="what" value={what}>
            {label}
          </button>
        ))}
      </form>
    </details>
  );
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
