import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { Worker } from 'node:worker_threads';
import { VECTOR_LENGTH } from '../catalog/tags/zero-shot.ts';
import type { Db, Session } from '../db/client.ts';
import { beginGeneration, finishGeneration, newestGeneration } from './nearest-file.ts';
import type { BuildAnswer, BuildData, BuildMessage } from './nearest-thread.ts';
import { readChanges, VECTORS_CHANNEL, type VectorChange } from './vectors.ts';

/** Vectors outside the index on disk that are compared one by one, at .12 µs each, before they are added to it. */
export const MOST_LOOSE = 2048;
const PAGE = 1000;
const ENTRY = new URL(
  import.meta.url.endsWith('.ts') ? './nearest-from-source.mjs' : './nearest-thread.js',
  import.meta.url,
);

/**
 * Brings the index on disk up to the vectors in the database: what changed since the last one is added, or everything
 * where there is none; processes hear of it as of changed vectors. False when another process is at it.
 */
export async function buildIndex(
  db: Db,
  { model, dataDir, signal }: { model: string; dataDir: string; signal?: AbortSignal },
): Promise<boolean> {
  return db.session(async (session) => {
    // By folder: machines on one database each have their own.
    const key = [`${VECTORS_CHANNEL} ${model} ${hostname()} ${dataDir}`];
    const [lock] = await session.query<{ mine: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 0)) as mine',
      key,
    );
    if (!lock!.mine) return false;
    try {
      await buildOn(session, model, dataDir, signal);
      await session.query('select pg_notify($1, $2)', [VECTORS_CHANNEL, model]);
      return true;
    } finally {
      await session.query('select pg_advisory_unlock(hashtextextended($1, 0))', key);
    }
  });
}

/** Builds on the index on disk when so much has changed since that it is worth it. */
export async function keepIndexed(
  db: Db,
  { model, dataDir, signal }: { model: string; dataDir: string; signal?: AbortSignal },
): Promise<void> {
  const base = await newestGeneration(dataDir, model);
  const [row] = await db.query<{ changes: number }>(
    'select count(*) as changes from item_vectors where model = $1 and version > $2',
    [model, base?.version ?? 0],
  );
  if (row!.changes > MOST_LOOSE) await buildIndex(db, { model, dataDir, signal });
}

async function buildOn(session: Session, model: string, dataDir: string, signal?: AbortSignal): Promise<void> {
  const base = await newestGeneration(dataDir, model);
  const folder = await beginGeneration(dataDir, model);
  const data: BuildData = { base: base?.folder ?? null, folder };
  const thread = new Worker(ENTRY, { workerData: data, name: 'vectors' });
  try {
    let version = base?.version ?? 0;
    while (true) {
      const changes: VectorChange[] = [];
      await readChanges(session, model, { afterVersion: version, limit: PAGE }, (change) => changes.push(change));
      if (changes.length === 0) break;
      await tell(thread, messageOf(changes), signal);
      version = changes.at(-1)!.version;
    }
    const { slots } = await tell(thread, 'finish', signal);
    await finishGeneration(folder, { version, slots });
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await thread.terminate();
  }
}

/** Resolves when the thread is done with it; rejects when it throws, or is no longer wanted. */
async function tell(thread: Worker, message: BuildMessage, signal?: AbortSignal): Promise<BuildAnswer> {
  const answered = once(thread, 'message', { signal });
  thread.postMessage(message, message === 'finish' ? [] : [message.vectors.buffer as ArrayBuffer]);
  const [answer] = await answered;
  return answer as BuildAnswer;
}

function messageOf(changes: readonly VectorChange[]): BuildMessage {
  const vectors = new Float32Array(changes.length * VECTOR_LENGTH);
  for (const [i, { vector }] of changes.entries()) if (vector !== null) vectors.set(vector, i * VECTOR_LENGTH);
  return {
    itemIds: changes.map(({ itemId }) => itemId),
    isGone: changes.map(({ vector }) => vector === null),
    vectors,
  };
}
