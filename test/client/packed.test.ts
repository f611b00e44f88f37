import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { scratchFolder } from '../support/scratch.ts';

/** Of a user: the package by its name, in the strictest mode. */
const PROGRAM = `import { type MintmarkProblem, openClient } from '@mintmark/client';
const client = openClient({
  baseUrl: 'http://prices.example',
  fetch: async (url) => Response.json({ games: [{ game: String(url) }] }),
});
const { games } = await client.games();
const names: string[] = games.map(({ game }) => game);
// @ts-expect-error: no member of that name
games[0]?.price;
export const codeOf = ({ code }: MintmarkProblem): string => code;
console.log(names.join());
`;

test('the package that npm makes installs alone, has its types, and runs', { timeout: 180_000 }, () => {
  const folder = scratchFolder(tmpdir());
  try {
    const run = (cwd: string, program: string, ...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
      expect([status, status === 0 ? '' : stdout + stderr], program).toEqual([0, '']);
      return stdout;
    };
    run(resolve('packages/client'), 'npm', 'pack', '--ignore-scripts=false', '--pack-destination', folder);
    const packed = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', packed);
    const installed = readdirSync(join(folder, 'node_modules'), { encoding: 'utf8' });
    expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@mintmark']);
    writeFileSync(join(folder, 'program.ts'), PROGRAM);
    const strict = ['--strict', '--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom', '--types', ''];
    run(folder, resolve('node_modules/.bin/tsc'), ...strict, 'program.ts');
    expect(run(folder, process.execPath, 'program.js').trim()).toBe('http://prices.example/v1/games');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
