import type { Connections } from '../connections.ts';
import type { Sql } from '../db/client.ts';
import { type ServiceHealth, serviceHealth, stateOf } from '../http/outbound/service-client-state.ts';
import { watchedFiles } from '../sales/sources/watched-files.ts';
import { FOLDER_KIND } from '../sales/sources/watched-folder.ts';

/** A source or grader that does not answer as it should, or pauses. */
export type FailingService = {
  id: string;
  name: string;
  state: 'failing' | 'resting';
  health: ServiceHealth;
};

/** A file of a watched folder that could not be imported and was not mended since. */
export type FailingFile = { folder: string; file: string; problem: string; at: Date };

/** What keeps sales and certs from coming in, as the last calls and scans left it; `working` counts the other services. */
export async function readFailing(
  sql: Sql,
  { sources, graders }: Pick<Connections, 'sources' | 'graders'>,
  nowMs: number,
): Promise<{ services: FailingService[]; files: FailingFile[]; working: number }> {
  const called = [...sources.filter(({ kind }) => kind !== FOLDER_KIND), ...graders];
  const folders = sources.filter(({ kind }) => kind === FOLDER_KIND);
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id);
  const [health, files] = await Promise.all([serviceHealth(sql, ids(called), nowMs), watchedFiles(sql, ids(folders))]);
  const services = called.flatMap(({ id, name }): FailingService[] => {
    const known = health.get(id);
    const state = known === undefined ? 'ok' : stateOf(known);
    return known === undefined || state === 'ok' ? [] : [{ id, name, state, health: known }];
  });
  return {
    services,
    files: folders.flatMap(({ id, name }) =>
      (files.get(id)?.rejected ?? []).map(({ file, problem, atMs }) => ({
        ...{ folder: name, file, problem, at: new Date(atMs) },
      })),
    ),
    working: called.length - services.length,
  };
}
