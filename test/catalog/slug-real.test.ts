import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { itemSegment, itemStem, parseItemSegment } from '../../src/catalog/slug.ts';
import { testData } from '../support/test-data.ts';

const folder = testData('catalog');

type Named = { number: string | null; name: string };

/** Every object of a source file that has a name, with its number if it has one: more than a reader would keep. */
function* namedObjects(value: unknown): Generator<Named> {
  if (Array.isArray(value)) {
    for (const entry of value) yield* namedObjects(entry);
  } else if (value !== null && typeof value === 'object') {
    const object = value as Record<string, unknown>;
    const number = object.number ?? object.localId ?? object.collector_number ?? object.card_number ?? object.code;
    const told = object.name ?? object.card_name ?? object.n;
    for (const name of typeof told === 'object' && told !== null ? Object.values(told) : [told]) {
      if (typeof name === 'string') yield { number: typeof number === 'string' ? number : null, name };
    }
    for (const entry of Object.values(object)) yield* namedObjects(entry);
  }
}

function* sourceFiles(): Generator<[path: string, names: Named[]]> {
  for (const path of readdirSync(folder!, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!path.endsWith('.json') || path === 'slug-cases.json') continue;
    yield [path, [...namedObjects(JSON.parse(readFileSync(join(folder!, path), 'utf8')))]];
  }
}

/** What is left of a name without case, accents and punctuation; signs other than ASCII ones stay. */
function meaning(text: string): string {
  return text
    .replace(/[™®©☆]/g, (sign) => (sign === '☆' ? '★' : ''))
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{P}\s$+^|~`<=>]|\u200b/gu, '');
}

describe.skipIf(folder === null)('over every name of the real catalog files', { timeout: 120_000 }, () => {
  test('one reading of a written segment is the record, and only allowed characters are written', () => {
    let count = 0;
    for (const [path, names] of sourceFiles()) {
      for (const { number, name } of names) {
        const stem = itemStem(number, name);
        const segment = itemSegment({ stem, gradeKey: 'psa-10', language: 'Korean', id8: '0ec3d5f3' });
        const readings = parseItemSegment(segment);
        const wanted = { stem, gradeKey: 'psa-10', language: 'Korean', id8: '0ec3d5f3' };
        const bare = parseItemSegment(stem).some((reading) => reading.stem === stem && reading.gradeKey === null);
        if (!/^[a-z0-9-]+$/.test(segment) || readings.length > 4 || !bare) throw new Error(`${path}: ${segment}`);
        if (!readings.some((reading) => JSON.stringify(reading) === JSON.stringify(wanted)))
          expect(readings, path).toContainEqual(wanted);
        count++;
      }
    }
    expect(count).toBeGreaterThan(10_000);
  });

  test('different names of one file fold together only when nothing but punctuation differs', () => {
    const clashes: string[] = [];
    for (const [path, names] of sourceFiles()) {
      const seen = new Map<string, string>();
      for (const { number, name } of names) {
        if (/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Greek}]/u.test(name)) continue;
        const stem = itemStem(number, name);
        const other = seen.get(stem);
        if (other === undefined) seen.set(stem, name);
        else if (meaning(other) !== meaning(name)) clashes.push(`${path}: ${other} | ${name}`);
      }
    }
    expect(clashes).toEqual([]);
  });
});
