import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mintmark } from '../../src/catalog/formats/mintmark.ts';
import { importCatalog } from '../../src/catalog/import-catalog.ts';
import { importImages } from '../../src/vision/pictures/import-images.ts';
import type { TestApp } from '../support/app.ts';
import { anItem } from '../support/builders.ts';
import type { FreshDatabase } from '../support/database/database.ts';
import { aTag } from '../support/tags.ts';
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
const run = () => importImages(database.db, { folder, dataDir });
/** An item that no other test knows. */
const item = () => anItem(database.db, { number: String(++number) });
const imagesOf = (id: string) => imagesAt(api, id);

describe('running it again', () => {
  test('changes nothing; a lost file is made anew; another picture takes the place', async () => {
    const id = await item();
    await put(`${id}.png`, await picture('red').png().toBuffer());
    await run();
    const before = await imagesOf(id);
    expect(await run()).toMatchObject({ imported: 0, unchanged: 1, items: 1 });
    const inside = join(dataDir, 'images', before.full.slice(8, 10));
    for (const file of await readdir(inside)) await rm(join(inside, file));
    expect(await run()).toMatchObject({ imported: 1, unchanged: 0 });
    expect((await api.get(before.full)).status).toBe(200);
    await put(`${id}.png`, await picture('blue').png().toBuffer());
    expect(await run()).toMatchObject({ imported: 1 });
    expect((await imagesOf(id)).full).not.toBe(before.full);
  });

  test('a catalog that is imported again keeps our picture, and the address that its source has', async () => {
    const { db } = database;
    const line = (imageUrl: string, rarity: string) =>
      JSON.stringify({
        source: 'mine',
        id: 'kept',
        game: 'pokemon',
        set: { key: 'k', name: 'Kept' },
        number: '1',
        name: 'Mew',
        rarity,
        imageUrl,
      });
    const catalog = join(folder, 'catalog.ndjson');
    const importAs = async (imageUrl: string, rarity: string) => {
      await writeFile(catalog, `${line(imageUrl, rarity)}\n`);
      await importCatalog(db, { format: mintmark, paths: [catalog] });
    };
    const row = async () =>
      (
        await db.query<{ id: string; image_url: string; rarity: string; updated_at: Date; theirs: string | null }>(
          `select i.id, i.image_url, i.rarity, i.updated_at, m.source_image_url as theirs from items i
             join item_sources s on s.item_id = i.id left join item_images m on m.item_id = i.id where s.source_id = 'kept'`,
        )
      )[0]!;
    await importAs('https://images.example/1.png', 'Rare');
    await put('kept.png', await picture('red').png().toBuffer());
    await run();
    const ours = await row();
    expect(ours).toMatchObject({
      image_url: expect.stringMatching(/^\/images/),
      theirs: 'https://images.example/1.png',
    });
    await importAs('https://images.example/1.png', 'Rare');
    expect(await row()).toEqual(ours);
    await importAs('https://images.example/2.png', 'Secret');
    expect(await row()).toMatchObject({
      image_url: ours.image_url,
      rarity: 'Secret',
      theirs: 'https://images.example/2.png',
    });
  });
});

describe('the colors of a picture', () => {
  const colorsOf = async (id: string) =>
    (
      await database.db.query<{ slug: string; origin: string }>(
        `select t.slug, l.origin from tags t join item_tags l on l.tag_id = t.id
         where t.kind = 'color' and t.game is null and l.item_id = $1 order by t.slug`,
        [id],
      )
    ).map(({ slug, origin }) => `${slug} ${origin}`);

  test('are global tags of the item, and follow the picture; those of other origins stay', async () => {
    const id = await item();
    await put(`${id}.png`, await picture('#d02020').png().toBuffer());
    await run();
    expect(await colorsOf(id)).toEqual(['red image']);
    await database.db.query(
      `insert into item_tags select id, $1, 'file' from tags where kind = 'color' and slug = 'green'`,
      [id],
    );
    await put(`${id}.png`, await picture('#2050c0').png().toBuffer());
    await run();
    expect(await colorsOf(id)).toEqual(['blue image', 'green file']);
    await api.context.liveIndex.refresh();
    const { json } = await api.get('/v1/tags?kind=color&q=blu');
    expect(json.tags).toEqual([{ kind: 'color', slug: 'blue', name: 'Blue' }]);
  });

  test('an item that had no image is reached by its other tags too from then on', async () => {
    const id = await item();
    await aTag(database.db, { kind: 'mood', slug: 'calm', name: 'Calm', itemIds: [id] });
    expect((await api.get('/v1/tags?kind=mood')).json.tags).toEqual([]);
    await put(`${id}.png`, await picture('red').png().toBuffer());
    await run();
    await api.context.liveIndex.refresh();
    expect((await api.get('/v1/tags?kind=mood')).json.tags).toHaveLength(1);
  });
});

describe('the address of a picture', () => {
  test('may be kept by browsers for good, and is open to every page', async () => {
    const id = await item();
    await put(`${id}.png`, await picture('red').png().toBuffer());
    await run();
    const { full } = await imagesOf(id);
    const { status, headers } = await api.get(full);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
    });
    const head = await api.app.inject({ method: 'HEAD', url: full });
    expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0]);
  });

  test('of another form, or leading out of the folder, is 404', async () => {
    await writeFile(join(dataDir, 'secret.webp'), 'secret');
    for (const path of [
      '/images/',
      '/images/..%2Fsecret.webp',
      '/images/%2e%2e/secret.webp',
      `/images/${'0'.repeat(32)}-734.webp`,
      `/images/${'0'.repeat(32)}-735.webp`,
      '/images/secret.webp',
    ]) {
      const { status, text } = await api.get(path);
      expect(status, path).toBe(404);
      expect(text).not.toContain('"secret"');
    }
    expect(await readFile(join(dataDir, 'secret.webp'), 'utf8')).toBe('secret');
  });
});
