import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { mintmark } from '../../src/catalog/formats/mintmark.ts';
import { importCatalog } from '../../src/catalog/import-catalog.ts';
import { demoArtAt, demoMoodAt } from '../../src/ops/demo/demo-art.ts';
import { demoCatalogPath } from '../../src/ops/demo/items.ts';
import { MOODS } from '../../src/ops/demo/mood.ts';
import { makeDemoPictures } from '../../src/ops/demo/pictures.ts';
import { SAMPLE_PHOTOS } from '../../src/web/scan/scan-samples.tsx';
import { PATIENT_LIMITS, type TestApp, testApp } from '../support/app.ts';
import { chromiumPath, launchBrowser, watchedPage } from '../support/browser.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { formOf, MULTIPART } from '../support/multipart.ts';

/** What the sample photos show, and how many other drawings of the demo are among the pictures. */
const SHOWN = [
  '/demo/art/pokemon/4-charizard.svg',
  '/demo/art/one-piece/op01-120-shanks.svg',
  '/demo/art/mtg/black-lotus.svg',
];
const OTHERS = 24;

let database: FreshDatabase;
let dataDir: string;
let api: TestApp;
let app: FastifyInstance;
const steps: string[] = [];
const run = (signal = new AbortController().signal) =>
  makeDemoPictures(database.db, { dataDir, signal, say: (step) => steps.push(step) });

beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'mintmark-demo-'));
  const lines = (await readFile(demoCatalogPath, 'utf8')).trimEnd().split('\n');
  const artOf = (line: string) => JSON.parse(line).imageUrl as string;
  const every = Math.floor(lines.length / OTHERS);
  const some = lines.filter((line, n) => SHOWN.includes(artOf(line)) || n % every === 0);
  const path = join(dataDir, 'some.ndjson');
  await writeFile(path, `${some.join('\n')}\n`);
  await importCatalog(database.db, { format: mintmark, paths: [path] });
  await run();
  api = await testApp(database.db, { env: { MINTMARK_DATA: dataDir, VISION_WORKERS: '1' } });
  app = buildApp({ ...api.context, config: { ...api.context.config, isDemo: true } }, PATIENT_LIMITS);
});
afterAll(async () => {
  await app.close();
  await api.app.close();
  await database.close();
  await rm(dataDir, { recursive: true });
});

const get = (url: string) => app.inject({ url });

describe('the pictures of the demo', () => {
  test('are drawn, kept, described and counted aloud', async () => {
    const [row] = await database.db.query<{ items: number; kept: number; vectors: number }>(
      `select (select count(*)::int from items) as items,
         (select count(*)::int from items where image_url like '/images/%') as kept,
         (select count(distinct item_id)::int from item_vectors) as vectors`,
    );
    expect(row!.items).toBeGreaterThan(OTHERS);
    expect([row!.kept, row!.vectors]).toEqual([row!.items, row!.items]);
    expect(steps).toContain(`pictures imported: ${row!.items} of ${row!.items}`);
    expect(steps.some((step) => step.startsWith('pictures described: '))).toBe(true);
  });

  test('have color tags and the mood that they were drawn in', async () => {
    const rows = await database.db.query<{ art: string; kinds: string[]; mood: string | null }>(
      `select p.source_image_url as art, array_agg(distinct t.kind) as kinds,
         max(t.slug) filter (where t.kind = 'mood') as mood
       from item_images p join item_tags l using (item_id) join tags t on t.id = l.tag_id group by p.item_id, art`,
    );
    for (const { art, kinds, mood } of rows) {
      expect(kinds, art).toEqual(expect.arrayContaining(['color', 'mood']));
      expect(mood, art).toBe(demoMoodAt(art)!.slug);
    }
    for (const kind of ['mood', 'color']) {
      const { tags } = (await get(`/v1/tags?kind=${kind}`)).json();
      expect(tags.length, kind).toBeGreaterThan(2);
      const found = (await get(`/v1/search?tag=${kind}:${tags[0].slug}`)).json();
      expect(found.results.length, kind).toBeGreaterThan(0);
    }
  });

  test('made again are not touched; cut off, the next start makes what is missing', async () => {
    const images = () => database.db.query('select item_id, hash, imported_at from item_images order by item_id');
    const before = await images();
    await run();
    expect(await images()).toEqual(before);
    const [first] = await database.db.query<{ id: string; art: string }>(
      'select item_id as id, source_image_url as art from item_images order by item_id limit 1',
    );
    await database.db.query('update items set image_url = $2 where id = $1', [first!.id, first!.art]);
    await database.db.query('delete from item_images where item_id = $1', [first!.id]);
    await run(AbortSignal.abort());
    expect(await images()).toHaveLength(before.length - 1);
    await run();
    expect(await images()).toHaveLength(before.length);
  });

  test('every mood is drawn, and pictures of one mood differ', async () => {
    const arts = (await readFile(demoCatalogPath, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).imageUrl);
    expect(new Set(arts.map((art) => demoMoodAt(art)!.slug))).toEqual(new Set(MOODS.map(({ slug }) => slug)));
    expect(new Set(arts.map((art) => demoArtAt(art))).size).toBe(new Set(arts).size);
  });
});

describe('a sample photo', () => {
  test.each(SAMPLE_PHOTOS.map(({ href }, n) => [href, SHOWN[n]!]))(
    '%s is served, and its card is found',
    async (href, art) => {
      const photo = await get(href);
      expect([photo.statusCode, photo.headers['content-type']]).toEqual([200, 'image/jpeg']);
      const payload = formOf({ name: 'file', bytes: photo.rawPayload });
      const search = await app.inject({ method: 'POST', url: '/v1/search/by-image', headers: MULTIPART, payload });
      const { ids, confidence } = search.json();
      expect(['high', 'medium']).toContain(confidence);
      const [shown] = await database.db.query<{ art: string }>(
        'select source_image_url as art from item_images where item_id = $1',
        [ids[0]],
      );
      expect(shown!.art).toBe(art);
    },
  );

  test('is offered on the scan page of the demo, and nowhere else', async () => {
    const { body } = await get('/scan');
    for (const { href } of SAMPLE_PHOTOS) expect(body).toContain(`href="${href}" data-sample`);
    expect((await api.get('/scan')).text).not.toContain('data-sample');
    expect((await api.get(SAMPLE_PHOTOS[0].href)).status).toBe(404);
    expect((await get('/demo/photos/other.jpg')).statusCode).toBe(404);
  });

  test('leaves search by embedding unavailable until a model is added, and says how', async () => {
    const embedding = [1, ...Array(511).fill(0)];
    const { statusCode, body } = await app.inject({
      method: 'POST',
      url: '/v1/search/by-embedding',
      payload: { embedding },
    });
    expect([statusCode, JSON.parse(body).error]).toEqual([503, 'unavailable']);
    expect(JSON.parse(body).detail).toContain('mintmark models add <file.onnx>');
  });

  test.skipIf(chromiumPath === null)('is scanned by one click', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const browser = await launchBrowser();
    try {
      const { page, complaints } = await watchedPage(browser, address);
      await page.goto(`${address}/scan`);
      await page.click('[data-sample]');
      await page.waitForSelector('.scan-result h2');
      expect(await page.textContent('.scan-result h2')).toBe('Charizard');
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});
