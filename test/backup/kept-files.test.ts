import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readArchive, writeArchive } from '../../src/backup/archive.ts';
import { addSettings } from '../../src/backup/kept-files.ts';
import { stageFiles } from '../../src/backup/restore-files.ts';
import { folderOfRun } from '../support/database/run-folder.ts';

test.each(['synonyms', 'synonyms.txt', 'synonyms.en_US', 'synonyms.txt~', 'synonyms.shop 2'])(
  'a file that the settings name is restored, whatever it is called: %s',
  async (name) => {
    const folder = folderOfRun();
    const value = join(folder, name);
    writeFileSync(value, 'pikachu, mouse');
    const archive = new PassThrough();
    const setting = { name: 'SYNONYMS_FILE', what: 'synonyms', value, source: 'file', isSecret: false } as const;
    const written = writeArchive(archive, (to) => addSettings(to, [setting]));
    const staged = await stageFiles(folder);
    for await (const member of readArchive(archive)) await staged.take(member);
    await written;
    await staged.place();
    const restored = join(folder, 'restored-settings', value.replace(/^.*synonyms/, 'SYNONYMS_FILE'));
    expect(readFileSync(restored, 'utf8')).toBe('pikachu, mouse');
  },
);

test.each(['settings/A.x/../../../b', 'settings/../b', 'settings/A.x\\b', 'settings/.b'])(
  'a member that would be a file elsewhere is not taken: %s',
  async (name) => {
    const staged = await stageFiles(folderOfRun());
    const member = { name, size: 0, content: Readable.from([]) };
    await expect(staged.take(member)).rejects.toThrow('which this version does not know');
  },
);
