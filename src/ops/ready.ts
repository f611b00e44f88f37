import { Type } from 'typebox';
import { isMigrated } from '../db/migrate.ts';
import { whyUnreadable } from '../files.ts';
import { endpoint } from '../http/endpoint.ts';
import { unavailable } from '../http/problem.ts';
import { within } from '../http/within.ts';
import type { SearchContext } from '../search/context.ts';

/** A probe that waits longer is itself an outage. */
const PROBE_TIMEOUT_MS = 2000;
/** The state of memory is known at once. */
const IN_MEMORY_MS = 50;

const PARTS = {
  database: 'the database does not answer',
  migrations: 'the database lacks migrations of this program (mintmark migrate)',
  files: 'the data folder cannot be read: it has the pictures and the bulk files',
  search: 'the search index is being built',
  vectors: 'the vectors of pictures are being loaded',
} as const;

type Part = keyof typeof PARTS;

export const ready = endpoint({
  id: 'ready',
  reads: 'primary',
  summary: 'Readiness: whether to send requests to this process',
  response: Type.Object({
    ready: Type.Boolean(),
    database: Type.Boolean({ description: 'It answers.' }),
    migrations: Type.Boolean({ description: 'The database has every migration of this program.' }),
    files: Type.Boolean({ description: 'The data folder can be read: it has the pictures and the bulk files.' }),
    search: Type.Boolean({ description: 'The search index is in memory.' }),
    vectors: Type.Boolean({ description: 'The vectors of pictures are in memory.' }),
  }),
  maxAgeSeconds: 'no-store',
  policy: 'open',
  statuses: [503],
  async handle(context: SearchContext) {
    const { db, nearest, liveIndex, drain, only } = context;
    const needs = neededBy(only);
    const [migrations, files, search, vectors] = await Promise.all([
      inTime(PROBE_TIMEOUT_MS, isMigrated(db.atOnce)),
      inTime(PROBE_TIMEOUT_MS, canReadFiles(context)),
      needs.search ? inTime(IN_MEMORY_MS, liveIndex.built().then(isDone)) : false,
      needs.vectors ? inTime(IN_MEMORY_MS, nearest.warm().then(isDone)) : false,
    ]);
    const parts: Record<Part, boolean> = {
      database: migrations !== null,
      migrations: migrations === true,
      files: files === true,
      search: search === true,
      vectors: vectors === true,
    };
    const missing = (Object.keys(PARTS) as Part[]).find((part) => needs[part] && !parts[part]);
    if (missing === undefined && !drain.isOn) return { body: { ready: true, ...parts } };
    const why = drain.isOn ? 'the process is stopping' : PARTS[missing!];
    throw unavailable(`Not ready: ${why}.`, 1, { ready: false, ...parts });
  },
});

/** What a process needs for what it serves: photos are not found by words, pages not by vectors. */
export function neededBy(only: SearchContext['only']): Record<Part, boolean> {
  return { database: true, migrations: true, files: true, search: only !== 'photos', vectors: only !== 'pages' };
}

/** Whether the data folder can be read; where not, that is logged: what fails of it is a picture at a time. */
async function canReadFiles({ config, logFault }: SearchContext): Promise<boolean> {
  const error = await whyUnreadable(config.dataDir);
  if (error !== null) logFault(error, 'the data folder cannot be read', {});
  return error === null;
}

const isDone = () => true;

/** The value of a promise that resolves in time, else null. */
function inTime<T>(ms: number, promise: Promise<T>): Promise<T | null> {
  return within(ms, promise).catch(() => null);
}
