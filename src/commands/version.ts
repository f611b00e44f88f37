import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };

/** What `npm run build` writes into `dist`: `2026-11-30, c313978c`, the day and the commit of the program. */
const BUILT = 'built-from.txt';

/**
 * `0.1.0 (2026-11-30, c313978c)`: the version of the package, the day and the commit of the program. Of a build they are of
 * its source; where it runs from a clone, of what is checked out; from neither, the version alone.
 */
export function versionLine(): string {
  const from = fromBuild() ?? fromClone();
  return from === null ? packageJson.version : `${packageJson.version} (${from})`;
}

function fromBuild(): string | null {
  const file = new URL(`../${BUILT}`, import.meta.url);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() || null : null;
}

function fromClone(): string | null {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  try {
    const words = ['-C', root, 'log', '-1', '--format=%cs, %h'];
    return existsSync(`${root}.git`) ? execFileSync('git', words, { encoding: 'utf8', stdio: 'pipe' }).trim() : null;
  } catch {
    return null;
  }
}
