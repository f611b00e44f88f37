import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const script = new URL('../scripts/words.mjs', import.meta.url);
const { HABITS, habitsIn } = (await import(script.href)) as {
  HABITS: { habit: string }[];
  habitsIn(text: string): { line: number; habit: string }[];
};

/** A sentence with each habit, and the same in plain English. */
const SENTENCES: Record<string, [dropped: string, plain: string]> = {
  whoever: ['/** Whoever asks first pays. */', '/** The first caller pays. */'],
  'is none': ['a field that is none', 'not a field; null where there is none'],
  told: ['the stream tells what it was told', 'the stream reports what it found'],
  'is no': ['an ask is no sale', 'an ask is not a sale; there is no price, and it is no longer live'],
  sureness: ['the sureness of a match', 'the confidence of a match'],
  dear: ['the dearest card of dear cards', 'the most expensive card'],
  'looked at': ['photos are looked at; a person looks at reports', 'photos are processed; a person reviews reports'],
  beside: ['a page beside the API', 'a page next to the API'],
  courier: ['a courier asks', 'a service client calls'],
  refused: ['the row was refused', "disposition: 'refused'"],
  leap: ['it leapt: a leap waits', 'it jumped on a leap day'],
  'space before %': ['an 80 % range', 'an 80% range'],
};

test('every habit has a sentence here', () => {
  expect(Object.keys(SENTENCES)).toEqual(HABITS.map(({ habit }) => habit));
});

test.each(Object.entries(SENTENCES))('"%s" is rejected, its replacement is not', (habit, [dropped, plain]) => {
  expect(habitsIn(`\n${dropped}`)).toEqual([expect.objectContaining({ line: 2, habit })]);
  expect(habitsIn(plain)).toEqual([]);
});

test('a file with a habit ends the check with exit code 1, and the message has place, habit and replacement', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'words-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'page.md');
  writeFileSync(file, 'One.\nFor whoever comes.\n');
  const check = promisify(execFile)(process.execPath, [fileURLToPath(script), file]);
  await expect(check).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${file}:2: "whoever": write `),
  });
  writeFileSync(file, 'One.\nFor anyone who comes.\n');
  await expect(promisify(execFile)(process.execPath, [fileURLToPath(script), file])).resolves.toEqual({
    stdout: '',
    stderr: '',
  });
});
