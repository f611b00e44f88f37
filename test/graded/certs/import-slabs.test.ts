import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UnreadableFile } from '../../../src/catalog/formats/files.ts';
import { testApp } from '../../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { certsWorld, importInto, storedCerts, writeLines } from './certs-world.ts';

let database: FreshDatabase;
let folder: string;
let charizard: string;
let remove: () => void;

beforeAll(async () => {
  database = await freshDatabase();
  ({ folder, charizard, remove } = await certsWorld(database.db));
});
afterAll(async () => {
  remove();
  await database.close();
});

const write = (name: string, lines: readonly unknown[]) => writeLines(folder, name, lines);
const importFiles = (format: string, ...paths: string[]) => importInto(database.db, folder, format, paths);
const certs = (...keys: string[]) => storedCerts(database.db, keys);

describe('scans', () => {
  test('that are files are copied into the data folder and served; web addresses stay', async () => {
    mkdirSync(join(folder, 'scans'), { recursive: true });
    const image = sharp({ create: { width: 300, height: 500, channels: 3, background: '#a03020' } });
    await image.jpeg().toFile(join(folder, 'scans', 'front.jpg'));
    const path = write('scans.csv', [
      'cert,itemId,grade,imageFront,imageBack',
      `30000050,${charizard},9,scans/front.jpg,https://scans.example/b.jpg`,
    ]);
    expect((await importFiles('mintmark', path)).report).toMatchObject({ added: 1, rejected: 0 });
    expect((await importFiles('mintmark', path)).report).toMatchObject({ unchanged: 1 });
    const api = await testApp(database.db, { env: { MINTMARK_DATA: join(folder, 'data') } });
    const { certImages } = (await api.get('/v1/graded/30000050')).json;
    expect(certImages).toMatchObject({ back: 'https://scans.example/b.jpg', item: null });
    const { status, headers } = await api.get(certImages.front);
    expect([status, headers['content-type']]).toEqual([200, 'image/webp']);
    await api.app.close();
  });

  test('that are not pictures are reported by their line', async () => {
    write('scans/no.jpg', ['no picture']);
    const { problems } = await importFiles('mintmark', write('no.csv', ['cert,imageFront', '30000051,scans/no.jpg']));
    expect(problems).toEqual([expect.stringMatching(/^2: imageFront: /)]);
  });
});

describe('vaulted slabs', () => {
  const slab = (gradingID: string, more: object = {}) => ({
    itemName: '1999 #4 Charizard-Holo PSA 9 Game Pokemon',
    category: 'Pokemon',
    gradingCompany: 'PSA',
    grade: 'MINT 9',
    gradeNum: 9,
    gradingID,
    year: 1999,
    frontImage: 'https://scans.example/1',
    ...more,
  });

  test('are registered by their labels, with their grades rather than the numbers next to them', async () => {
    const path = join(folder, 'cards.json');
    const slabs = [
      slab('30000060'),
      slab('30000061', { gradingCompany: 'CGC', grade: 'Good+ 2.5', gradeNum: 10 }),
      slab('30000062', { gradingCompany: 'TAG', grade: 'GEM MINT 10', gradeNum: 10 }),
      slab('30000063', { category: 'Vibes', itemName: '2024 #13 A Debate PSA 9 Vibes TCG Promos' }),
      slab('1.40102E+12'),
    ];
    writeFileSync(path, JSON.stringify(slabs));
    const { report, problems } = await importFiles('vaulted-slabs', path);
    expect(report).toMatchObject({ rows: 5, added: 4, rejected: 1 });
    expect(problems).toEqual([expect.stringMatching(/^5: cert "1.40102E\+12" is not a cert number/)]);
    expect(await certs('30000060', '30000061', '30000062', '30000063')).toMatchObject([
      { company: 'PSA', item_id: charizard, grade_key: 'psa-9', game: 'pokemon' },
      { company: 'CGC', item_id: charizard, grade_key: 'cgc-2-5' },
      { company: 'TAG', item_id: charizard, grade_key: null },
      { company: 'PSA', item_id: null, game: 'vibes' },
    ]);
  });

  test('a file of another kind is rejected as a whole', async () => {
    const path = write('other.json', ['[{"id": 1}]']);
    await expect(importFiles('vaulted-slabs', path)).rejects.toThrow(UnreadableFile);
    await expect(importFiles('mintmark', write('other.csv', ['number', '1']))).rejects.toThrow(UnreadableFile);
  });
});
