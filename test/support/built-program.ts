import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundlePrograms } from '../../scripts/bundle.mjs';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

/** What tests run as processes of their own, below test/. */
const PROCESSES = [
  'bulk/bulk-process',
  'graded/runs/valuation-process',
  'ops/serve-process',
  'pricing/reprice-process',
  'support/database/embedded-holder',
  'thread-process',
  'vision/pool/closing-process',
  'vision/pool/decode-process',
  'vision/pool/orphan-process',
  'vision/pool/pool-worker',
] as const;
export type TestProcess = (typeof PROCESSES)[number];

/** Files that the program reads besides its code. */
const DATA = ['migrations', 'content', 'docs', 'node_modules', 'package.json'];

/** Builds the sources into `folder`, laid out as a package; resolves with the program, which starts in a third of the time. */
export async function buildProgram(folder: string): Promise<string> {
  for (const name of DATA) symlinkSync(join(CHECKOUT, name), join(folder, name));
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin', 'mintmark.mjs');
  cpSync(join(CHECKOUT, 'bin', 'mintmark.mjs'), program);
  const build = spawn(process.execPath, [join(CHECKOUT, 'scripts', 'build.mjs'), join(folder, 'dist')], {
    stdio: 'inherit',
  });
  const code = await new Promise((resolve) => build.once('close', resolve));
  if (code !== 0) throw new Error('the sources cannot be built');
  await bundlePrograms({
    entries: PROCESSES.map((name) => `${name}.ts`),
    base: join(CHECKOUT, 'test'),
    folder: join(folder, 'test'),
    build: join(folder, 'dist'),
  });
  return program;
}
