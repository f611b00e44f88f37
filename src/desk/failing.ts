import type { Connections } from '../connections.ts';
import type { Sql } from '../db/client.ts';
import { type ServiceHealth, serviceHealth, stateOf } from '../http/outbound/service-client-state.ts';
import { watchedFiles } from '../sales/sources/watched-files.ts';
import { FOLDER_KIND } from '../sales/sources/watched-folder.ts';
import { calledServices } from './pause-service.ts';

/** A source or grader that is called, as its last calls left it; `health` is null where it never was. */
export type KnownService = {
  id: string;
  name: string;
  state: 'failing' | 'resting' | 'paused' | 'ok' | 'unused';
  health: ServiceHealth | null;
};

/** A file of a watched folder that could not be imported and was not mended since. */
export type FailingFile = { folder: string; file: string; problem: string; at: Date };

/** The connected services that are called, those that fail or rest first. */
export async function readServices(
  sql: Sql,
  connections: Pick<Connections, 'sources' | 'graders'>,
  nowMs: number,
): Promise<KnownService[]> {
  const called = calledServices(connections);
  const health = await serviceHealth(
    sql,
    called.map(({ id }) => id),
    nowMs,
  );
  const services = called.map(({ id, name }): KnownService => {
    const known = health.get(id) ?? null;
    const state = known === null ? 'unused' : known.paused ? 'paused' : stateOf(known);
    return { id, name, state, health: known };
  });
  return services.sort((a, b) => Number(isFailing(b)) - Number(isFailing(a)));
}

/** It does not answer as it should, or is not called for a while: a pause of a person's is neither. */
export function isFailing({ state }: KnownService): boolean {
  return state === 'failing' || state === 'resting';
}

/** Files of watched folders that could not be imported, as the last scans left them. */
export async function readFailingFiles(sql: Sql, { sources }: Pick<Connections, 'sources'>): Promise<FailingFile[]> {
  const folders = sources.filter(({ kind }) => kind === FOLDER_KIND);
  const files = await watchedFiles(
    sql,
    folders.map(({ id }) => id),
  );
  return folders.flatMap(({ id, name }) =>
    (files.get(id)?.rejected ?? []).map(({ file, problem, atMs }) => ({
      ...{ folder: name, file, problem, at: new Date(atMs) },
    })),
  );
}
