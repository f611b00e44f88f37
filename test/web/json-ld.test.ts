import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type JsonLdBlock, jsonLdText } from '../../src/web/json-ld.ts';

test('structured data has no sign that ends a script, opens a comment or breaks a line, and reads back as it was', () => {
  const signs = fc.constantFrom('<', '>', '&', '\u2028', '\u2029', '</script>', '<!--', ']]>', 'a');
  fc.assert(
    fc.property(fc.array(signs), (name) => {
      const block = { '@context': 'https://schema.org', '@type': 'Thing', name: name.join('') } as JsonLdBlock;
      const text = jsonLdText(block);
      expect(text).not.toMatch(/[<>&\u2028\u2029]/);
      expect(JSON.parse(text)).toEqual(block);
    }),
  );
});
