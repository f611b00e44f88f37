import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Entry = {
  version?: string;
  integrity?: string;
  resolved?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> };

/** Where Node would find a package that the one at `path` depends on: its own folder, then those around it. */
function isLocked(path: string, name: string): boolean {
  for (let at = path; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at}${at === '' ? '' : '/'}node_modules/${name}`] !== undefined) return true;
    if (at === '') return false;
  }
}

test('the lock holds every dependency, those of other platforms too: npm ci rejects a lock that lacks one', () => {
  const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isLocked(path, name))
      .map((name) => `${path || 'package.json'} needs ${name}`),
  );
  expect(missing, 'choose a version of which the registry has all, then npm install --save-exact').toEqual([]);
});

test('every locked package has a version and a checksum, and no address of a registry', () => {
  const installed = Object.entries(packages).filter(([path]) => path !== '');
  expect(installed.length).toBeGreaterThan(300);
  expect(installed.filter(([, { version, integrity }]) => !version || !integrity?.startsWith('sha512-'))).toEqual([]);
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});

test('a dependency is pinned to one version, in package.json as in the lock', () => {
  const { dependencies, optionalDependencies, devDependencies, overrides } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const wanted = { ...dependencies, ...optionalDependencies, ...devDependencies };
  for (const [name, version] of Object.entries(wanted))
    expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
  for (const [name, version] of Object.entries(overrides))
    expect(packages[`node_modules/${name}`]?.version).toBe(version);
});
