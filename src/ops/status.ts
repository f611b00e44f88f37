import { Type } from 'typebox';
import { type BackupState, readBackupState } from '../backup/backup-log.ts';
import type { Connection } from '../connections.ts';
import { endpoint } from '../http/endpoint.ts';
import { type ServiceHealth, serviceHealth, stateOf } from '../http/outbound/service-client-state.ts';
import { dayOf, parseDay } from '../lib/day.ts';
import { NEWEST_SALE_AT } from '../sales/freshness.ts';
import { type WatchedFiles, watchedFiles } from '../sales/sources/watched-files.ts';
import { FOLDER_KIND } from '../sales/sources/watched-folder.ts';

const instant = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

const service = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  state: Type.Enum(['ok', 'failing', 'resting', 'unused'], {
    description:
      '`failing`: its last answer was a fault. `resting`: not called for a while, after faults or since the day’s budget is spent. `unused`: never called.',
  }),
  lastSuccessAt: instant,
  lastFaultAt: instant,
  lastFaultReason: Type.Union([Type.String(), Type.Null()]),
  callsToday: Type.Integer({ description: 'Since 00:00 UTC, retries included.' }),
  budgetPerDay: Type.Union([Type.Integer(), Type.Null()]),
  budgetLeft: Type.Union([Type.Integer(), Type.Null()]),
  p50Ms: Type.Union([Type.Integer(), Type.Null()], { description: 'Median of its last answers.' }),
});

const folder = Type.Object({
  id: Type.String(),
  name: Type.String(),
  newestFileAt: instant,
  rejected: Type.Array(
    Type.Object({ file: Type.String(), problem: Type.String(), at: Type.String({ format: 'date-time' }) }),
    { description: 'Files that could not be imported and were not corrected since, the newest first; 20 at most.' },
  ),
});
const SHOWN_FILES = 20;

export const status = endpoint({
  id: 'status',
  reads: 'primary',
  summary: 'How fresh the service is: ledger, closed day, graders, sources and watched folders; costs nothing',
  response: Type.Object({
    asOf: Type.String({ format: 'date-time' }),
    ledger: Type.Object({
      newestSaleAt: instant,
      newestImportAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
        description: 'When an import or a crawl last ended.',
      }),
    }),
    closedDay: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'The newest day whose prices are closed (UTC).',
    }),
    lastBackupAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When `mintmark backup` or a scheduled backup last succeeded.',
    }),
    graders: Type.Array(service),
    sources: Type.Array(service),
    folders: Type.Array(folder, { description: 'Folders whose files are imported by themselves.' }),
    warnings: Type.Array(Type.String(), { description: 'What an operator has to check, one sentence each.' }),
  }),
  maxAgeSeconds: 'no-store',
  policy: 'free',
  async handle({ db, config, clock }) {
    const nowMs = clock();
    const { graders } = config.connections;
    // A folder is not called.
    const [folders, sources] = [true, false].map((isFolder) =>
      config.connections.sources.filter(({ kind }) => (kind === FOLDER_KIND) === isFolder),
    ) as [Connection[], Connection[]];
    const ids = [...graders, ...sources].map(({ id }) => id);
    const [[row], health, files, backup] = await Promise.all([
      db.prepared<{ sold: Date | null; imported: Date | null; closed: string | null }>(
        'status_freshness',
        `select ${NEWEST_SALE_AT} as sold,
           (select finished_at from imports where kind in ('sales', 'listings') and finished_at is not null
            order by id desc limit 1) as imported,
           (select to_char(date '1970-01-01' + closed_day, 'YYYY-MM-DD') from model_state) as closed`,
      ),
      serviceHealth(db, ids, nowMs),
      watchedFiles(
        db,
        folders.map(({ id }) => id),
      ),
      readBackupState(db, config.backups?.folder ?? null),
    ]);
    const { sold, imported, closed } = row!;
    const services = (list: readonly Connection[]) =>
      list.map((connection) => serviceOf(connection, health.get(connection.id)));
    const ledger = { newestSaleAt: isoOf(sold?.getTime()), newestImportAt: isoOf(imported?.getTime()) };
    return {
      body: {
        asOf: new Date(nowMs).toISOString(),
        ledger,
        closedDay: closed,
        lastBackupAt: isoOf(backup.last?.atMs),
        graders: services(graders),
        sources: services(sources),
        folders: folders.map((one) => folderOf(one, files.get(one.id))),
        warnings: warningsOf(closed, dayOf(nowMs), backup),
      },
    };
  },
});

function serviceOf({ id, name, kind }: Connection, health: ServiceHealth | undefined) {
  const budgetPerDay = health?.budgetPerDay ?? null;
  return {
    id,
    name,
    kind,
    state: health === undefined ? 'unused' : stateOf(health),
    lastSuccessAt: isoOf(health?.lastSuccessAtMs),
    lastFaultAt: isoOf(health?.lastFaultAtMs),
    lastFaultReason: health?.lastFaultReason ?? null,
    callsToday: health?.callsToday ?? 0,
    budgetPerDay,
    budgetLeft: budgetPerDay === null ? null : Math.max(0, budgetPerDay - health!.callsToday),
    p50Ms: health?.p50Ms ?? null,
  };
}

function folderOf({ id, name }: Connection, files: WatchedFiles | undefined) {
  const rejected = (files?.rejected ?? []).slice(0, SHOWN_FILES);
  return {
    id,
    name,
    newestFileAt: isoOf(files?.newestFileAtMs),
    rejected: rejected.map(({ file, problem, atMs }) => ({ file, problem, at: new Date(atMs).toISOString() })),
  };
}

function warningsOf(closedDay: string | null, today: number, { failed }: BackupState): string[] {
  return [
    ...(closedDay !== null && parseDay(closedDay)! >= today ? [aheadOf(closedDay)] : []),
    ...(failed === null ? [] : [`The backup of ${isoOf(failed.atMs)} failed; mintmark doctor names the reason.`]),
  ];
}

/** A day that is closed before it is over: some clock was wrong. */
export function aheadOf(day: string): string {
  return `Prices are closed through ${day}, which is not over: a clock was wrong; docs/guide/troubleshooting.md says how to reopen days.`;
}

function isoOf(ms: number | null | undefined): string | null {
  return ms === null || ms === undefined ? null : new Date(ms).toISOString();
}
