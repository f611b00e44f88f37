import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';

const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url));

/** What tests run as processes of their own, below test/. */
const PROCESSES = [
  'graded/valuation-process',
  'ops/serve-process',
  'pricing/reprice-process',
  'support/embedded-holder',
] as const;
export type TestProcess = (typeof PROCESSES)[number];

/** What the program reads beside its code. */
const BESIDE = ['migrations', 'content', 'docs', 'node_modules', 'package.json'];

/** Builds the sources into `folder`, laid out as a package; resolves with the program, which starts in a third of the time. */
export async function buildProgram(folder: string): Promise<string> {
  for (const name of BESIDE) symlinkSync(join(CHECKOUT, name), join(folder, name));
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin', 'mintmark.mjs');
  cpSync(join(CHECKOUT, 'bin', 'mintmark.mjs'), program);
  const build = spawn(process.execPath, [join(CHECKOUT, 'scripts', 'build.mjs'), join(folder, 'dist')], {
    stdio: 'inherit',
  });
  const code = await new Promise((resolve) => build.once('close', resolve));
  if (code !== 0) throw new Error('the sources cannot be built');
  await buildProcesses(folder);
  return program;
}

/** Bundles what tests run as processes beside the program, whose built modules they import. */
async function buildProcesses(folder: string): Promise<void> {
  const built = (source: string) => join(folder, 'dist', source.replace(/^.*\/src\//, '').replace(/\.tsx?$/, '.js'));
  await esbuild.build({
    entryPoints: PROCESSES.map((name) => join(CHECKOUT, 'test', `${name}.ts`)),
    outbase: join(CHECKOUT, 'test'),
    outdir: join(folder, 'test'),
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    plugins: [
      {
        name: 'built sources',
        setup: ({ onResolve }) =>
          onResolve({ filter: /\/src\/.*\.tsx?$/ }, ({ path }) => ({ path: built(path), external: true })),
      },
    ],
  });
}
