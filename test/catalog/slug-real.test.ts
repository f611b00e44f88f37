import { describe, expect, test } from 'vitest';
import { GRADES } from '../../src/catalog/grades.ts';
import type { CatalogRecord } from '../../src/catalog/record.ts';
import { itemSegment, itemStem, parseItemSegment, setSegment } from '../../src/catalog/slug.ts';
import { CATALOG_FORMATS } from '../../src/commands/catalog-formats.ts';
import { REAL_CATALOGS } from '../support/real-catalogs.ts';
import { testData } from '../support/test-data.ts';

async function* recordsOf(format: string, path: string[]): AsyncGenerator<CatalogRecord> {
  const reader = CATALOG_FORMATS.find(({ name }) => name.startsWith(format));
  if (reader === undefined) throw new Error(`no format ${format}`);
  for await (const entry of reader.read([testData('catalog', ...path)!]))
    if (entry.kind === 'record') yield entry.record;
}

/** What is left of a name without case, accents and punctuation; signs other than ASCII ones stay. */
function meaning(text: string): string {
  return text
    .replace(/[™®©]/g, '')
    .replace(/☆/g, '★')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{P}\s$+^|~`<=>]|\u200b/gu, '');
}

const hasData = testData('catalog') !== null;

describe.skipIf(!hasData).each(REAL_CATALOGS)('over every record of %s', { timeout: 120_000 }, (format, ...path) => {
  test('one of at most four readings of a segment is the record, and different names stay different', async () => {
    const names = new Map<string, string>();
    let count = 0;
    for await (const { set, number, name, language } of recordsOf(format, path)) {
      const stem = itemStem(number, name);
      const gradeKey = GRADES[count++ % GRADES.length]!.key;
      for (const wanted of [
        { stem, gradeKey: null, language, id8: null },
        { stem, gradeKey, language, id8: '0ec3d5f3' },
      ]) {
        const segment = itemSegment(wanted);
        const readings = parseItemSegment(segment);
        const named = language === 'English' ? null : language;
        const isRead = readings.some(
          (it) => it.stem === stem && it.gradeKey === wanted.gradeKey && it.language === named && it.id8 === wanted.id8,
        );
        if (!isRead || readings.length > 4 || !/^[a-z0-9-]+(raw-[A-D][a-z0-9-]*)?$/.test(segment))
          expect(readings, segment).toBe(wanted);
      }
      if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(setSegment(set))) expect(setSegment(set)).toBe('a segment');
      // Scripts other than Latin fold to nothing; the id distinguishes such cards.
      if (/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Greek}]/u.test(name)) continue;
      const key = `${set.key} ${language} ${stem}`;
      const other = names.get(key) ?? name;
      names.set(key, other);
      if (meaning(other) !== meaning(name)) expect(other).toBe(name);
    }
    expect(count).toBeGreaterThan(0);
  });
});
