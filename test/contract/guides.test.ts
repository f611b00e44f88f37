import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { CATALOG_FORMATS } from '../../src/commands/catalog-formats.ts';
import { program } from '../../src/program.ts';
import { LISTINGS_FORMATS, SALES_FORMATS } from '../../src/sales/formats/index.ts';

const guides = [
  'README.md',
  'SECURITY.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
    .map((name) => join('docs', name)),
];
const textOf = (path: string) => readFileSync(path, 'utf8');

/** `mintmark …` in blocks of code and in code within a sentence; `mm` is what docs/guide/production.md defines for it. */
function commandsOf(text: string): { words: string[]; isWhole: boolean }[] {
  const blocks = [...text.matchAll(/^ *```[^\n]*\n(.*?)^ *```/gms)].flatMap(([, block]) => block!.split('\n'));
  const inline = [...text.replaceAll(/^ *```.*?^ *```/gms, '').matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
  const found = (lines: string[], isWhole: boolean) =>
    lines.flatMap((line) =>
      [...line.matchAll(/(?:^|[|(] ?|serve )(?:\$ )?(?:mintmark|mm|node bin\/mintmark\.mjs) +([a-z-][^|;)#&]*)/g)].map(
        ([, rest]) => ({ words: wordsOf(rest!), isWhole }),
      ),
    );
  return [
    ...found(
      blocks.map((line) => line.trim()),
      true,
    ),
    ...found(
      inline.map((code) => code.replaceAll(/\s+/g, ' ')),
      false,
    ),
  ];
}

/** Words as a shell splits them, up to a redirection. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/(?:"[^"]*"|'[^']*'|<[^>]*>|[^\s"'<])+|</g)].map(([word]) => word);
  const end = words.findIndex((word) => /^(?:[<>]|2>)$/.test(word));
  return end === -1 ? words : words.slice(0, end);
}

const FORMATS: Record<string, readonly { name: string }[]> = {
  'import catalog': CATALOG_FORMATS,
  'import sales': SALES_FORMATS,
  'import listings': LISTINGS_FORMATS,
};

/** What is wrong with a command; null if the program takes it. */
function mistakeIn(words: string[], isWhole: boolean): string | null {
  let command: Command = program();
  const path: string[] = [];
  const given: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const sub = given.length === 0 ? command.commands.find((one) => word.split('|').includes(one.name())) : undefined;
    if (sub !== undefined) {
      command = sub;
      path.push(sub.name());
    } else if (word.startsWith('--')) {
      const option = command.options.find(({ long }) => long === word);
      if (option === undefined && !['--help', '--version'].includes(word)) return `${path.join(' ')} has no ${word}`;
      const takesMany = option?.variadic ?? false;
      while (option?.required && words[at + 1] !== undefined && !words[at + 1]!.startsWith('--')) {
        at++;
        if (!takesMany) break;
      }
    } else if (word !== '…') given.push(word);
  }
  const isHelp = words.some((word) => ['--help', '--version'].includes(word));
  const args = command.registeredArguments;
  const needed = args.filter(({ required }) => required).length;
  const most = args.at(-1)?.variadic ? Number.POSITIVE_INFINITY : args.length;
  if (command.commands.length > 0 && args.length === 0 && given.length > 0) return `no command ${given[0]}`;
  if (given.length > most) return `${path.join(' ')} takes ${most} arguments, not ${given.join(' ')}`;
  if (isWhole && !isHelp && given.length < needed) return `${path.join(' ')} needs ${needed} arguments`;
  const formats = FORMATS[path.join(' ')];
  const [format = '<'] = given;
  if (formats !== undefined && !/^[<…]/.test(format) && !formats.some(({ name }) => name === format))
    return `${path.join(' ')} has no format ${format}`;
  return null;
}

test('every command of a document is one that the program takes', () => {
  const mistakes: string[] = [];
  let count = 0;
  for (const guide of guides)
    for (const { words, isWhole } of commandsOf(textOf(guide))) {
      count++;
      const mistake = mistakeIn(words, isWhole);
      if (mistake !== null) mistakes.push(`${guide}: mintmark ${words.join(' ')}: ${mistake}`);
    }
  expect(mistakes).toEqual([]);
  expect(count).toBeGreaterThan(150);
});

describe('a command with a mistake is found', () => {
  test.each([
    'mintmark sale unmatched',
    'mintmark sales unmatch',
    'mintmark reprice --trough 2026-11-21',
    'mintmark import catalog tcgdx cards',
    'mintmark keys issue',
    'mintmark restore one two',
    'mintmark backup - | ssh other',
  ])('%s', (line) => {
    const found = commandsOf(`\`\`\`\n${line}\n\`\`\`\n`).map(({ words, isWhole }) => mistakeIn(words, isWhole));
    expect(found).toEqual([line.includes('|') ? null : expect.any(String)]);
  });
});

test('every message of the guide of symptoms is one that the program prints', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => textOf(join('src', name)))
    .join('\n');
  const bin = textOf('bin/mintmark.mjs');
  const rows = textOf('docs/guide/troubleshooting.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| you see'));
  const absent = rows
    .flatMap((row) => [...row.split(' | ')[0]!.matchAll(/`([^`]+)`/g)].map(([, message]) => message!))
    .filter((message) => !message.startsWith('mintmark:'))
    .flatMap((message) => message.split(/…|\b\d[\d.]*\b|\b[NM]\b/))
    .map((part) => part.trim())
    .filter((part) => /[a-z]{3}/.test(part) && !sources.includes(part) && !bin.includes(part));
  expect(absent).toEqual([]);
  expect(rows.length).toBeGreaterThan(40);
});

test('the index names every guide', () => {
  const index = textOf('docs/guide/README.md');
  const missing = readdirSync('docs/guide').filter(
    (name) => name.endsWith('.md') && name !== 'README.md' && !index.includes(`](${name})`),
  );
  expect(missing).toEqual([]);
});

test('every heading that a document links to exists', () => {
  const slugOf = (heading: string) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-');
  const missing: string[] = [];
  for (const guide of guides)
    for (const [, path, anchor] of textOf(guide).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)) {
      const target = path === '' ? guide : join(guide, '..', path!);
      const headings = [...textOf(target).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slugOf(heading!));
      if (!headings.includes(anchor!)) missing.push(`${guide}: ${path}#${anchor}`);
    }
  expect(missing).toEqual([]);
});
