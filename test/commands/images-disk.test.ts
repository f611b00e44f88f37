import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { openDisk } from '../support/database/disk.ts';
import { canMount } from '../support/database/embedded-process.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { databaseUrlOf } from '../support/program.ts';

const folder = folderOfRun();
const data = join(folder, 'data');
const scans = join(folder, 'scans');
let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
  for (const path of [data, scans]) mkdirSync(path);
});
afterAll(() => database.close());

/** A picture that does not compress: some 600 kB in the size that is kept. */
async function scanOf(itemId: string): Promise<void> {
  const raw = { width: 734, height: 1024, channels: 3 as const };
  await sharp(randomBytes(raw.width * raw.height * 3), { raw })
    .jpeg()
    .toFile(join(scans, `${itemId}.jpg`));
}

test.skipIf(!canMount)(
  'images for which the disk has no room are imported once it has; a read-only disk is named',
  async () => {
    const { db } = database;
    for (const number of ['1', '2']) await scanOf(await anItem(db, { number }));
    const kept = async () => (await db.query('select from item_images')).length;
    const env = { DATABASE_URL: databaseUrlOf(database.connection), MINTMARK_DATA: data };
    const disk = await openDisk(data, '500k');
    const list = () => disk.files().filter((name) => /\.(webp|part)$/.test(name));
    try {
      expect(await disk.run(['import', 'images', scans], env)).toMatchObject({
        code: 1,
        errors: `mintmark: There is no space left on the disk of ${data}/images: make room.\n`,
      });
      expect(list().filter((name) => name.endsWith('.part'))).toEqual([]);
      disk.resize('20m');
      expect(await disk.run(['import', 'images', scans], env)).toMatchObject({ code: 0 });
      expect([await kept(), list().length]).toEqual([2, 4]);
      await scanOf(await anItem(db, { number: '3' }));
      disk.makeReadOnly();
      expect(await disk.run(['import', 'images', scans], env)).toMatchObject({
        code: 1,
        errors: expect.stringMatching(/^mintmark: \S+\/images\S* is on a file system that is mounted read-only/),
      });
      expect(await kept()).toBe(2);
    } finally {
      await disk.close();
    }
  },
);
