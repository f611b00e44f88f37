import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const documents = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];

// A link that begins with a slash leads to a page of the site, which test/web/research checks.
test('every path that a document cites exists', () => {
  const missing: string[] = [];
  for (const document of documents) {
    const text = readFileSync(document, 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|#|\/)([^)#]+)\)/g)].map((match) =>
      join(dirname(document), match[1]!),
    );
    const quoted = [...text.matchAll(/`((?:src|test|docs|bench|migrations|scripts)\/[\w./-]+\w)`/g)].map(
      (match) => match[1]!,
    );
    for (const path of [...links, ...quoted]) if (!existsSync(path)) missing.push(`${document} cites ${path}`);
  }
  expect(missing).toEqual([]);
});
