import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
import { dropOldBackups, writeInto } from '../../src/backup/backup-folder.ts';
import { folderOfRun } from '../support/database/run-folder.ts';

const NOW = Date.parse('2026-11-25T18:14:37.123Z');
const NAME = 'mintmark-2026-11-25T18-14-37.123Z.tar';
const nameOf = (day: number) => `mintmark-2026-11-${String(day).padStart(2, '0')}T03-30-00.000Z.tar`;

let folders = 0;
const newFolder = (...names: string[]) => {
  const folder = join(folderOfRun(), `backups-${folders++}`);
  mkdirSync(folder);
  for (const name of names) writeFileSync(join(folder, name), name);
  return folder;
};

async function put(stream: Writable, text: string): Promise<number> {
  stream.end(text);
  await finished(stream);
  return text.length;
}

describe('writing into the folder of backups', () => {
  test('makes the folder, and a file that only its owner reads, under its name when it is whole', async () => {
    const folder = join(folderOfRun(), 'new', 'backups');
    const made = await writeInto(folder, NOW, async (stream) => {
      expect(await put(stream, 'whole')).toBe(5);
      expect(readdirSync(folder)).toEqual([`${NAME}.part`]);
      return 5;
    });
    expect(made).toEqual({ path: join(folder, NAME), bytes: 5 });
    expect(readdirSync(folder)).toEqual([NAME]);
    expect(readFileSync(made.path, 'utf8')).toBe('whole');
    expect(statSync(made.path).mode & 0o777).toBe(0o600);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  test('that fails leaves no file, and those that were there', async () => {
    const folder = newFolder(nameOf(1));
    const failing = writeInto(folder, NOW, async (stream) => {
      await put(stream, 'half');
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(readdirSync(folder)).toEqual([nameOf(1)]);
  });

  test('removes what a killed backup left, and nothing else', async () => {
    const folder = newFolder(
      `${nameOf(1)}.part`,
      nameOf(2),
      'film.part',
      'mintmark-notes.tar.part',
      `x${nameOf(3)}.part`,
    );
    await writeInto(folder, NOW, (stream) => put(stream, 'x'));
    expect(readdirSync(folder).sort()).toEqual(
      ['film.part', nameOf(2), NAME, 'mintmark-notes.tar.part', `x${nameOf(3)}.part`].sort(),
    );
  });
});

describe('old backups', () => {
  test.each([
    { there: [1, 2, 3, 4], made: 5, keep: 3, stay: [3, 4, 5] },
    { there: [1, 2], made: 3, keep: 3, stay: [1, 2, 3] },
    { there: [1, 2, 3], made: 4, keep: 1, stay: [4] },
    { there: [], made: 4, keep: 1, stay: [4] },
    // Made by a clock that was ahead: the new one stays all the same.
    { there: [7, 8, 9], made: 4, keep: 1, stay: [4] },
    { there: [7, 8, 9], made: 4, keep: 2, stay: [4, 9] },
  ])('$there, after that of $made with $keep to keep: $stay', async ({ there, made, keep, stay }) => {
    const others = ['notes.txt', 'mintmark-2026.tar', `${nameOf(1)}.part`, `copy-${nameOf(1)}`];
    const folder = newFolder(...[...there, made].map(nameOf), ...others);
    const dropped = await dropOldBackups(folder, keep, join(folder, nameOf(made)));
    expect(readdirSync(folder).sort()).toEqual([...stay.map(nameOf), ...others].sort());
    expect(dropped.sort()).toEqual(there.filter((day) => !stay.includes(day)).map(nameOf));
  });
});
