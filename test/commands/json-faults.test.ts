import type { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import { endWith } from '../../src/commands/ending.ts';
import { program } from '../../src/program.ts';
import { folderOfRun } from '../support/database/run-folder.ts';

/** Every command that reports, as its words; but `config`, which needs nothing, and `verify`, whose report says why it cannot. */
function reporting(command: Command, words: string[] = []): { words: string[]; command: Command }[] {
  const own = command.options.some(({ long }) => long === '--json') ? [{ words, command }] : [];
  return [...own, ...command.commands.flatMap((one) => reporting(one, [...words, one.name()]))];
}

const COMMANDS = reporting(program())
  .map(({ words, command }) => ({
    name: words.join(' '),
    args: [
      ...words,
      '--json',
      ...command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long!, 'x']),
      ...command.registeredArguments.filter(({ required }) => required).map(() => 'x'),
    ],
  }))
  .filter(({ name }) => name !== 'config' && name !== 'verify');

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

test('there are some', () => expect(COMMANDS.length).toBeGreaterThan(50));

test.each(COMMANDS)(
  '$name --json without a database prints nothing but a sentence to standard error',
  async ({ args }) => {
    vi.stubEnv('DATABASE_URL', 'postgres://127.0.0.1:1/x');
    vi.stubEnv('MINTMARK_DATA', folderOfRun());
    const printed = vi.spyOn(console, 'log').mockReturnValue();
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const errors: unknown[] = [];
    vi.spyOn(console, 'error').mockImplementation((...words) => void errors.push(words.join(' ')));
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      errors.push(String(text).trim());
      return true;
    });
    const code = await program()
      .parseAsync(['node', 'mintmark', ...args])
      .then(() => 0, endWith);
    const sentences = [...errors];
    const prints = [...printed.mock.calls, ...written.mock.calls];
    vi.restoreAllMocks();
    expect({ prints, sentences }).toEqual({
      prints: [],
      sentences: [expect.stringMatching(/^(mintmark|error): \S[^\n]+$/)],
    });
    expect([2, 3, 4]).toContain(code);
  },
);
