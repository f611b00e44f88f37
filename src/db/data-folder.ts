import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { denialOf, makeFolder } from '../files.ts';
import { EmbeddedError, isCode } from './embedded-error.ts';

/**
 * Makes the data folder when it is absent; only its owner may look into it.
 * @throws EmbeddedError
 */
export function makeDataFolder(path: string): void {
  if (existsSync(path)) return;
  try {
    // The demo's is in the folder of an installation that may not be there yet: the database user has to pass through.
    makeFolder(dirname(path), 0o711);
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (isCode(error, 'EEXIST')) return;
    const [why, other] = [`The data folder ${path} cannot be made`, 'choose another one with MINTMARK_DATA'];
    if (isCode(error, 'EACCES', 'EPERM')) throw new EmbeddedError(`${why}. ${denialOf(path, true)}, or ${other}.`);
    throw new EmbeddedError(`${why} (${(error as Error).message}): ${other}.`);
  }
}
