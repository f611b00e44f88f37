import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Game } from '../../src/catalog/games.ts';
import { importImages } from '../../src/vision/pictures/import-images.ts';
import type { TestApp } from '../support/app.ts';
import { anImport, anItem, aSet } from '../support/builders.ts';
import type { FreshDatabase } from '../support/database/database.ts';
import { imagesOf as imagesAt, imagesWorld, picture } from './images-world.ts';

let database: FreshDatabase;
let dataDir: string;
let api: TestApp;
let close: () => Promise<void>;
let folder: string;
let number = 0;

beforeAll(async () => {
  ({ database, dataDir, api, close } = await imagesWorld());
});
afterAll(() => close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mintmark-cards-'));
  return () => rm(folder, { recursive: true });
});

const put = (name: string, bytes: Uint8Array | string) => writeFile(join(folder, name), bytes);
const run = (more: { mapping?: { file: string; item: string }[]; game?: Game } = {}) =>
  importImages(database.db, { folder, dataDir, ...more });
const imagesOf = (id: string) => imagesAt(api, id);

/** An item that no other test uses, with the names that sources have for it. */
async function item(...sources: [space: string, id: string][]): Promise<string> {
  const { db } = database;
  const id = await anItem(db, { number: String(++number) });
  for (const [space, sourceId] of sources)
    await db.query('insert into item_sources (space, source_id, item_id, import_id) values ($1, $2, $3, $4)', [
      space,
      sourceId,
      id,
      await anImport(db, 'catalog'),
    ]);
  return id;
}

describe('a picture', () => {
  test('of each format becomes the image of the item it is named by', async () => {
    const ids = [await item(), await item(), await item(), await item()];
    await put(`${ids[0]}.jpg`, await picture('red').jpeg().toBuffer());
    await put(`${ids[1]!.toUpperCase()}.PNG`, await picture('green').png().toBuffer());
    // What a file is, its bytes say.
    await put(`${ids[2]}.jpeg`, await picture('blue').webp().toBuffer());
    await put(`${ids[3]}.avif`, await picture('yellow').avif({ effort: 0 }).toBuffer());
    expect(await run()).toEqual({ files: 4, imported: 4, unchanged: 0, items: 4, problems: [] });
    for (const id of ids) {
      const { full, thumb } = await imagesOf(id);
      expect(full).toMatch(/^\/images\/[0-9a-f]{32}-734\.webp$/);
      expect(thumb).toBe(full.replace('734', '245'));
    }
  });

  test('that cannot be used does not count its items', async () => {
    const [good, broken] = [await item(), await item()];
    await put(`${good}.png`, await picture('pink').png().toBuffer());
    await put(`${broken}.png`, 'no picture');
    const problems = [{ file: `${broken}.png`, message: expect.any(String) }];
    expect(await run()).toEqual({ files: 2, imported: 1, unchanged: 0, items: 1, problems });
    expect(await run()).toEqual({ files: 2, imported: 0, unchanged: 1, items: 1, problems });
  });

  test('is kept upright within 734 × 1024 and 245 × 342, never enlarged', async () => {
    const [large, turned, small] = [await item(), await item(), await item()];
    await put(`${large}.png`, await picture('red', 1468, 2048).png().toBuffer());
    await put(`${turned}.jpg`, await picture('red', 1000, 700).withMetadata({ orientation: 6 }).jpeg().toBuffer());
    await put(`${small}.png`, await picture('red', 150, 200).png().toBuffer());
    await run();
    const sizeOf = async (address: string) => {
      const response = await api.app.inject(address);
      const { width, height, format } = await sharp(response.rawPayload).metadata();
      return [width, height, format];
    };
    const kept = await imagesOf(large);
    expect(await sizeOf(kept.full)).toEqual([734, 1024, 'webp']);
    expect(await sizeOf(kept.thumb)).toEqual([245, 342, 'webp']);
    expect((await sizeOf((await imagesOf(turned)).full)).slice(0, 2)).toEqual([700, 1000]);
    expect((await sizeOf((await imagesOf(small)).full)).slice(0, 2)).toEqual([150, 200]);
  });

  test('may be that of several items, in files of their own', async () => {
    const ids = [await item(), await item(), await item(), await item()];
    const bytes = await picture('olive').png().toBuffer();
    for (const id of ids) await put(`${id}.png`, bytes);
    expect(await run()).toMatchObject({ imported: 4, problems: [] });
    expect(new Set(await Promise.all(ids.map(async (id) => (await imagesOf(id)).full))).size).toBe(1);
  });

  test('is named by the id of any source; a tcgdex number means all English printings of the card', async () => {
    const plain = await item(['tcgdex', 'aa1-1:en'], ['pokemontcg', 'aa1-1']);
    const holo = await anItem(database.db, { number: String(number), variation: 'Holo' });
    await database.db.query(
      `insert into item_sources (space, source_id, item_id, import_id) values ('tcgdex', 'aa1-1:en:holo', $1, $2)`,
      [holo, await anImport(database.db, 'catalog')],
    );
    const slashed = await item(['t206api', 'a/b:c']);
    await put('aa1-1.png', await picture('teal').png().toBuffer());
    await put('a%2Fb%3Ac.png', await picture('navy').png().toBuffer());
    expect(await run()).toMatchObject({ imported: 2, items: 3, problems: [] });
    expect(await imagesOf(holo)).toEqual(await imagesOf(plain));
    expect((await imagesOf(slashed)).full).toMatch(/^\/images/);
  });

  test('may be given by a list of file and item instead', async () => {
    const id = await item(['gundam-gcg', 'ZZ01-001']);
    await mkdir(join(folder, 'scans'));
    await put('scans/front 1.png', await picture('red').png().toBuffer());
    await put('other.png', await picture('red').png().toBuffer());
    const mapping = [
      { file: 'scans/front 1.png', item: 'ZZ01-001' },
      { file: 'missing.png', item: await item() },
    ];
    expect(await run({ mapping })).toMatchObject({
      files: 2,
      imported: 1,
      problems: [{ file: 'missing.png', message: 'no such file' }],
    });
    expect((await imagesOf(id)).full).toMatch(/^\/images/);
  });
});

test('that is stopped in the middle of a batch keeps what it has taken, and goes on where it was', async () => {
  for (let n = 0; n < 20; n++) await put(`${await item()}.png`, await picture('green').png().toBuffer());
  let asked = 0;
  // True from the tenth reading on: a batch is larger.
  const signal = {
    get aborted() {
      return ++asked >= 10;
    },
  } as AbortSignal;
  const progress: [number, number][] = [];
  const onProgress = (done: number, total: number) => progress.push([done, total]);
  const first = await importImages(database.db, { folder, dataDir, signal, onProgress });
  expect(first.imported).toBeGreaterThan(0);
  expect(first.imported).toBeLessThan(10);
  expect(progress).toEqual([[first.imported, 20]]);
  expect(await run()).toMatchObject({ imported: 20 - first.imported, unchanged: first.imported });
});

test('parts of pictures that a killed import left an hour ago are removed, others may be in work', async () => {
  const images = join(dataDir, 'images', 'ab');
  await mkdir(images, { recursive: true });
  const file = (name: string) => join(images, name);
  const old = new Date(Date.now() - 3_700_000);
  for (const name of ['left.webp.x.part', 'in-work.webp.y.part', 'kept.webp']) await writeFile(file(name), 'RIFF');
  for (const name of ['left.webp.x.part', 'kept.webp']) await utimes(file(name), old, old);
  await run();
  expect((await readdir(images)).filter((name) => !/^[0-9a-f]{32}-/.test(name)).sort()).toEqual([
    'in-work.webp.y.part',
    'kept.webp',
  ]);
  await rm(images, { recursive: true });
});

test('an id that two games have means the card of the given game', async () => {
  const { db } = database;
  const card = async (game: Game, space: string) => {
    const id = await anItem(db, { set: await aSet(db, { game, name: 'Starter', code: 'ST01' }) });
    const importId = await anImport(db, 'catalog');
    await db.query(`insert into item_sources (space, source_id, item_id, import_id) values ($1, 'ST01-001', $2, $3)`, [
      space,
      id,
      importId,
    ]);
    return id;
  };
  const [gundam, onePiece] = [await card('gundam', 'gundam-gcg'), await card('one-piece', 'limitless')];
  await put('ST01-001.png', await picture('red').png().toBuffer());
  expect((await run()).problems).toHaveLength(1);
  expect(await run({ game: 'gundam' })).toMatchObject({ imported: 1, problems: [] });
  expect((await imagesOf(gundam)).full).toMatch(/^\/images/);
  expect((await imagesOf(onePiece)).full).toBeNull();
});

describe('a mistake', () => {
  test('is reported by the name of its file, and the others count', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push(await item());
    const other = await aSet(database.db, { name: 'Other', code: 'other' });
    const first = await item(['one', 'twice']);
    const second = await anItem(database.db, { set: other, number: '1' });
    await database.db.query(
      `insert into item_sources (space, source_id, item_id, import_id) values ('two', 'twice', $1, $2)`,
      [second, await anImport(database.db, 'catalog')],
    );
    await put(`${ids[0]}.png`, await picture('red').png().toBuffer());
    await put(`${ids[1]}.jpg`, 'this is text');
    await put(`${ids[2]}.gif.png`, await picture('red').gif().toBuffer());
    await put(`${ids[3]}.jpg`, (await picture('red', 600, 800).jpeg().toBuffer()).subarray(0, 900));
    await put(`${ids[4]}.png`, await picture('red', 60, 80).png().toBuffer());
    await put(`${ids[5]}.png`, pngOf(30_000, 30_000));
    await put('nobody.png', await picture('red').png().toBuffer());
    await put('twice.png', await picture('red').png().toBuffer());
    await mkdir(join(folder, 'zz'));
    await put(`zz/${ids[0]}.png`, await picture('blue').png().toBuffer());
    const { imported, problems } = await run();
    expect(imported).toBe(1);
    const messages = Object.fromEntries(problems.map(({ file, message }) => [file, message]));
    expect(messages).toEqual({
      [`zz/${ids[0]}.png`]: `shows the same item as ${ids[0]}.png`,
      [`${ids[1]}.jpg`]: 'not a JPEG, PNG, WebP or AVIF picture',
      [`${ids[2]}.gif.png`]: `no item has the id "${ids[2]}.gif"`,
      [`${ids[3]}.jpg`]: 'damaged or incomplete',
      [`${ids[4]}.png`]: '60 × 80 pixels; a side has 100 at least',
      [`${ids[5]}.png`]: 'over 50 million pixels',
      'nobody.png': 'no item has the id "nobody"',
      'twice.png': '"twice" is the id of 2 cards: say which by --game, or by catalog id',
    });
    expect((await imagesOf(first)).full).toBeNull();
  });
});

/** A PNG that claims a size and has hardly any pixels. */
function pngOf(width: number, height: number): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const chunks = [
    chunk('IHDR', Buffer.concat([size, Buffer.from([8, 2, 0, 0, 0])])),
    chunk('IDAT', deflateSync(Buffer.alloc(100))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(kind), data]);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}
