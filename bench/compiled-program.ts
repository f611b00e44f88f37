import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms } from '../scripts/bundle.mjs';
import { buildProgram } from '../test/support/built-program.ts';

/**
 * Compiles the sources and a program of this folder, such as `http/http-server`, as a package has them, and returns its
 * file: the loader of TypeScript names every function anew, at each call, and takes 60 MB in each thread.
 */
export async function compiledProgram(name: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await buildProgram(folder);
  await bundlePrograms({
    entries: [`${name}.ts`],
    base: fileURLToPath(new URL('.', import.meta.url)),
    folder: join(folder, 'bench'),
    build: join(folder, 'dist'),
  });
  return join(folder, 'bench', `${name}.js`);
}
