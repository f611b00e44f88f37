import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

/** The order of dependency, as ARCHITECTURE.md states it: a folder imports only folders to its left. */
const ORDER = [
  'lib',
  'connections',
  'config',
  'db',
  'http',
  'access',
  'intake',
  'catalog',
  'vision',
  'sales',
  'pricing',
  'items',
  'indices',
  'search',
  'graded',
  'web',
  'ops',
  'routes',
  'jobs',
  'app',
  'commands',
  'main',
]; // prettier-ignore

/** Files that may not know a database, HTTP, files, the clock or chance. */
const PURE = [
  /^lib\//,
  /^catalog\/(slug|fold|grades|games|languages|identity)\.ts$/,
  /^sales\/(screen|match\/.*)\.ts$/,
  /^pricing\/(fmv|calibration|quote|card|market|curve|venue|params|daily-line)\.ts$/,
  /^indices\/(rules|evidence|basket|level)\.ts$/,
  /^search\/(build|column|cursor|lists|match|rank|read-query|readings|synonym-table|synonyms)\.ts$/,
  /^search\/(tag-choices|tagged|text|vocabulary|words)\.ts$/,
  /^vision\/(descriptor|plane|quad)\.ts$/,
  /^vision\/recognise\/(align|likeness|perspective|confidence)\.ts$/,
  /^web\/(json-ld|format|card-json-ld|chart-shape|scale)\.tsx?$/,
];

const root = resolve('src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));

function placeOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.indexOf('/')) : file.replace(/\.tsx?$/, '');
}

/** Files imported by a file, relative to src; type-only imports do not count: they vanish at run time. */
function importsOf(file: string): { specifier: string; typeOnly: boolean }[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(type\s+)?[^;]*?from\s+'([^']+)'/gms)].map((match) => ({
    specifier: match[2]!,
    typeOnly: match[1] !== undefined,
  }));
}

describe('the tree is the architecture', () => {
  test('every file of src stands in a folder of the order', () => {
    for (const file of files)
      expect(ORDER, `${file}: add its folder to the order in ARCHITECTURE.md, or move it`).toContain(placeOf(file));
  });

  test('a folder imports only folders to its left', () => {
    const wrong: string[] = [];
    for (const file of files) {
      for (const { specifier, typeOnly } of importsOf(file)) {
        if (typeOnly || !specifier.startsWith('.')) continue;
        const target = relative(root, join(root, dirname(file), specifier));
        if (target.startsWith('..')) continue;
        if (ORDER.indexOf(placeOf(target)) > ORDER.indexOf(placeOf(file)))
          wrong.push(`${file} imports ${target}: move what it needs to the left, or pass it in`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('pure files know no database, HTTP, file, clock or chance', () => {
    const wrong: string[] = [];
    for (const file of files.filter((name) => PURE.some((pattern) => pattern.test(name)))) {
      const text = readFileSync(join(root, file), 'utf8');
      for (const { specifier, typeOnly } of importsOf(file)) {
        const impure = /^(node:(?!crypto)|pg|fastify)/.test(specifier) || /\/(db|http)\//.test(specifier);
        if (impure && !typeOnly) wrong.push(`${file} imports ${specifier}`);
      }
      if (/\b(Date\.now|Math\.random|process\.env|new Date\(\))/.test(text))
        wrong.push(`${file} asks the clock, chance or environment`);
    }
    expect(wrong).toEqual([]);
  });

  test('only config.ts reads the environment', () => {
    const readers = files.filter((file) => /process\.env/.test(readFileSync(join(root, file), 'utf8')));
    expect(readers.filter((file) => file !== 'config.ts' && !file.startsWith('db/embedded'))).toEqual([]);
  });

  test('no file is over 300 lines', () => {
    const long = files.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 301);
    expect(long, 'a file has one subject; over 300 lines it has several').toEqual([]);
  });
});
