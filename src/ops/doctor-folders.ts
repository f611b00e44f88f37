import { readdir } from 'node:fs/promises';
import type { Db } from '../db/client.ts';
import { watchedFiles } from '../sales/sources/watched-files.ts';
import type { WatchedFolder } from '../sales/sources/watched-folder.ts';
import { type Finding, fail, ok } from './finding.ts';

const SHOWN_FILES = 10;

/** Whether each watched folder can be read, and which of its files could not be imported. */
export async function watchedFolders(db: Db, folders: readonly WatchedFolder[]): Promise<Finding[]> {
  const files = await watchedFiles(
    db,
    folders.map(({ id }) => id),
  );
  const findings: Finding[] = [];
  for (const { id, path } of folders) {
    const unreadable = await readdir(path).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (unreadable !== null) {
      const advice = 'make the folder, or correct its path in CONNECTIONS_FILE';
      findings.push(fail(`${id} (watched-folder): ${path} cannot be read (${unreadable})`, advice));
      continue;
    }
    const { newestFileAtMs = null, rejected = [] } = files.get(id) ?? {};
    const newest = newestFileAtMs === null ? 'no file yet' : `newest file ${new Date(newestFileAtMs).toISOString()}`;
    if (rejected.length === 0) {
      findings.push(ok(`${id} (watched-folder): ${newest}`));
      continue;
    }
    const named = rejected.slice(0, SHOWN_FILES).map(({ file, problem }) => `${file} (${problem})`);
    const more = rejected.length > SHOWN_FILES ? `, and ${rejected.length - SHOWN_FILES} more` : '';
    const what = `${id} (watched-folder): ${newest}; rejected: ${named.join(', ')}${more}`;
    findings.push(fail(what, `correct each file in ${path}: a changed file is read again by itself`));
  }
  return findings;
}
