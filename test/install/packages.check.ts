import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHECKOUT, newFolder, own, run } from './machine.ts';

type Packages = Record<string, { version?: string; optional?: boolean; devOptional?: boolean }>;

const packagesIn = (path: string): Packages => JSON.parse(readFileSync(path, 'utf8')).packages;

describe.each(['10.9.9', '11.21.2'])('npm %s', (version) => {
  test('ci installs exactly what the lock names, and leaves the lock as it is', async () => {
    const folder = newFolder();
    const home = join(folder, 'home');
    const tools = join(folder, 'tools');
    mkdirSync(home);
    own(folder);
    await run(['npm', 'install', '--prefix', tools, '--no-save', '--no-audit', '--no-fund', `npm@${version}`], {
      cwd: folder,
      home,
    });
    const npm = join(tools, 'node_modules/npm/bin/npm-cli.js');
    expect((await run([process.execPath, npm, '--version'], { cwd: folder, home })).trim()).toMatch(version);
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(CHECKOUT, name), join(folder, name));
    own(folder);
    await run([process.execPath, npm, 'ci', '--loglevel=error'], { cwd: folder, home });

    const locked = packagesIn(join(folder, 'package-lock.json'));
    expect(locked).toEqual(packagesIn(join(CHECKOUT, 'package-lock.json')));
    const installed = packagesIn(join(folder, 'node_modules/.package-lock.json'));
    for (const [path, entry] of Object.entries(locked)) {
      const isOptional = entry.optional === true || entry.devOptional === true;
      if (path !== '' && !(isOptional && installed[path] === undefined))
        expect(installed[path]?.version, path).toBe(entry.version);
    }
  });
});
