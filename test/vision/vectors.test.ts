import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readVectorFile } from '../../src/commands/vector-file.ts';
import { updateCatalogVectors } from '../../src/vision/catalog-vectors.ts';
import { DESCRIPTOR, describeCard } from '../../src/vision/descriptor.ts';
import { addModel, EMBEDDING_MODEL, removeModel } from '../../src/vision/encoder/models.ts';
import { importVectors } from '../../src/vision/import-vectors.ts';
import { cardPixels } from '../../src/vision/pictures/card-pixels.ts';
import { imagePath } from '../../src/vision/pictures/image-store.ts';
import { importImages } from '../../src/vision/pictures/import-images.ts';
import { type PictureModel, updateVectors } from '../../src/vision/update-vectors.ts';
import { countVectors } from '../../src/vision/vectors/stored-vectors.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { onnxEncoder } from '../support/onnx.ts';
import { randomVectors } from '../support/vectors.ts';

let database: FreshDatabase;
let dataDir: string;
let folder: string;
let number = 0;

beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'mintmark-vectors-'));
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mintmark-cards-'));
  return () => rm(folder, { recursive: true });
});
afterEach(async () => {
  await database.db.query('delete from item_images');
  await database.db.query('delete from item_vectors');
});

const item = () => anItem(database.db, { number: String(++number) });
/** Stripes of a width of their own: no two look alike. */
async function picture(stripe: number): Promise<Buffer> {
  const data = Buffer.from(
    Array.from({ length: 3 * 200 * 280 }, (_, i) => ((Math.floor(i / 3) % 200) % stripe < 5 ? 230 : (i % 3) * stripe)),
  );
  return sharp(data, { raw: { width: 200, height: 280, channels: 3 } })
    .png()
    .toBuffer();
}
async function show(itemId: string, bytes: Uint8Array): Promise<void> {
  await writeFile(join(folder, `${itemId}.png`), bytes);
  const { imported } = await importImages(database.db, { folder, dataDir });
  expect(imported).toBe(1);
  await unlink(join(folder, `${itemId}.png`));
}
const update = async () => (await updateCatalogVectors(database.db, { dataDir }))[0]!.report;
async function vectorOf(itemId: string, model: string = DESCRIPTOR.name): Promise<Float32Array | null> {
  const [row] = await database.db.query<{ vector: Buffer | null }>(
    'select vector from item_vectors where item_id = $1 and model = $2',
    [itemId, model],
  );
  return row?.vector ? new Float32Array(Uint8Array.from(row.vector).buffer) : null;
}

describe('describing the catalog', () => {
  test('gives each item with a picture the descriptor of the picture that is kept', async () => {
    const [one, other, without] = [await item(), await item(), await item()];
    await show(one, await picture(20));
    await show(other, await picture(33));
    expect(await update()).toEqual({ made: 2, copied: 0, dropped: 0, unreadable: [] });
    const [kept] = await database.db.query<{ hash: string }>('select hash from item_images where item_id = $1', [one]);
    const bytes = await sharp(imagePath(dataDir, kept!.hash, 'full'))
      .png()
      .toBuffer();
    const expected = describeCard(await cardPixels(bytes));
    for (const [i, value] of (await vectorOf(one))!.entries()) expect(value).toBeCloseTo(expected[i]!, 6);
    expect(await vectorOf(other)).not.toEqual(await vectorOf(one));
    expect(await vectorOf(without)).toBeNull();
  });

  test('again does nothing; a new picture is described anew, a removed one is forgotten', async () => {
    const [one, other] = [await item(), await item()];
    await show(one, await picture(21));
    await show(other, await picture(34));
    await update();
    const before = await vectorOf(one);
    expect(await update()).toEqual({ made: 0, copied: 0, dropped: 0, unreadable: [] });
    await show(one, await picture(55));
    await database.db.query('delete from item_images where item_id = $1', [other]);
    expect(await update()).toEqual({ made: 1, copied: 0, dropped: 1, unreadable: [] });
    expect(await vectorOf(one)).not.toEqual(before);
    expect(await vectorOf(other)).toBeNull();
  });

  test('looks once at a picture, however many items show it', async () => {
    const [one, other, later] = [await item(), await item(), await item()];
    const bytes = await picture(22);
    await show(one, bytes);
    await show(other, bytes);
    expect(await update()).toMatchObject({ made: 1, copied: 0 });
    await show(later, bytes);
    expect(await update()).toMatchObject({ made: 0, copied: 1 });
    for (const id of [other, later]) expect(await vectorOf(id)).toEqual(await vectorOf(one));
  });

  test('an item that leaves the catalog has no vector, and has it again when it comes back', async () => {
    const one = await item();
    await show(one, await picture(23));
    await update();
    await database.db.query('update items set removed_at = now() where id = $1', [one]);
    expect(await update()).toMatchObject({ made: 0, dropped: 1 });
    await database.db.query('update items set removed_at = null where id = $1', [one]);
    expect(await update()).toMatchObject({ made: 1, dropped: 0 });
  });

  test('a picture that cannot be read is reported by its hash, and the others count', async () => {
    const [one, other] = [await item(), await item()];
    await show(one, await picture(24));
    await show(other, await picture(35));
    const [{ hash }] = (await database.db.query('select hash from item_images where item_id = $1', [one])) as [
      { hash: string },
    ];
    await writeFile(imagePath(dataDir, hash, 'full'), 'not a picture');
    const { made, unreadable } = await update();
    expect(made).toBe(1);
    expect(unreadable).toEqual([{ hash, message: expect.stringContaining('damaged') }]);
    expect(await vectorOf(other)).not.toBeNull();
  });

  test('that is stopped goes on where it was', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 70; n++) {
      ids.push(await item());
      await writeFile(join(folder, `${ids[n]}.png`), await picture(10 + n));
    }
    await importImages(database.db, { folder, dataDir });
    const stop = new AbortController();
    let looks = 0;
    const model: PictureModel = {
      name: 'counting',
      async vectorOf() {
        if (++looks === 10) stop.abort();
        return randomVectors(1, looks)[0]!;
      },
    };
    const first = await updateVectors(database.db, model, { dataDir, signal: stop.signal });
    const second = await updateVectors(database.db, model, { dataDir });
    // Those in work when it was stopped are kept: no batch is finished first.
    expect(first.made).toBeGreaterThanOrEqual(10);
    expect(first.made).toBeLessThan(15);
    expect(first.made + second.made).toBe(70);
    expect(looks).toBe(70);
  });

  test('with a model, embeds the pictures too: another space, of other vectors', async () => {
    const path = join(folder, 'encoder.onnx');
    await writeFile(path, onnxEncoder());
    await addModel(database.db, { dataDir, path });
    const one = await item();
    await show(one, await picture(25));
    const reports = await updateCatalogVectors(database.db, { dataDir });
    expect(reports.map(({ model, report }) => [model, report.made])).toEqual([
      [DESCRIPTOR.name, 1],
      [EMBEDDING_MODEL, 1],
    ]);
    expect(await vectorOf(one, EMBEDDING_MODEL)).not.toEqual(await vectorOf(one));
    await removeModel(database.db, { dataDir });
    expect(await updateCatalogVectors(database.db, { dataDir })).toHaveLength(1);
    expect((await countVectors(database.db)).get(EMBEDDING_MODEL)).toBe(1);
  });
});

describe('vectors made elsewhere', () => {
  const [good, second] = randomVectors(2, 31).map((vector) => Array.from(vector));

  async function run(name: string, lines: readonly string[]) {
    const path = join(folder, name);
    await writeFile(path, lines.join('\n'));
    const problems: { line: number; message: string }[] = [];
    const report = await importVectors(database.db, readVectorFile(path), { onProblem: (one) => problems.push(one) });
    return { report, problems };
  }
  const row = (more: object) => JSON.stringify({ model: EMBEDDING_MODEL, vector: good, ...more });

  test('are taken from NDJSON and CSV, by catalog id or href', async () => {
    const [byId, byHref] = [await item(), await item()];
    const [{ href }] = (await database.db.query(
      `select '/card/' || i.game || '/' || s.segment || '/' || i.stem || '-' || i.id8 as href
       from items i join sets s on s.id = i.set_id where i.id = $1`,
      [byHref],
    )) as [{ href: string }];
    const { report, problems } = await run('v.ndjson', [
      row({ itemId: byId.toUpperCase() }),
      row({ href, vector: second }),
    ]);
    expect(problems).toEqual([]);
    expect(report).toEqual({ rows: 2, imported: 2, rejected: 0 });
    expect((await vectorOf(byHref, EMBEDDING_MODEL))![5]).toBeCloseTo(second![5]!, 6);
    await run('v.csv', ['itemId,model,vector', `${byId},${EMBEDDING_MODEL},${second!.join(' ')}`]);
    expect(await vectorOf(byId, EMBEDDING_MODEL)).toEqual(await vectorOf(byHref, EMBEDDING_MODEL));
  });

  test('a row that cannot be used is reported with its line, and the others count', async () => {
    const known = await item();
    const { report, problems } = await run('v.ndjson', [
      row({ itemId: known }),
      row({ itemId: known, model: DESCRIPTOR.name }),
      row({ itemId: known, vector: good!.slice(1) }),
      row({ itemId: known, vector: good!.map((value) => value * 1.01) }),
      row({ itemId: known, vector: [...good!.slice(1), null] }),
      row({ itemId: '00000000-0000-4000-8000-000000000000' }),
      row({}),
      row({ itemId: known, note: 'x' }),
      '{',
      row({ itemId: known, vector: second }),
    ]);
    expect(report).toEqual({ rows: 10, imported: 1, rejected: 9 });
    const messages = new Map(problems.map(({ line, message }) => [line, message]));
    expect(messages.get(2)).toContain(`model must be ${EMBEDDING_MODEL}`);
    for (const line of [3, 4, 5]) expect(messages.get(line)).toContain('512 finite numbers whose length is 1');
    expect(messages.get(6)).toContain('neither a catalog id');
    expect(messages.get(7)).toContain('itemId or href');
    expect(messages.get(8)).toContain('unknown field "note"');
    expect(messages.get(9)).toContain('not a JSON object');
    expect(messages.get(10)).toContain('on line 1');
  });

  test('stay until the picture of their item changes', async () => {
    const path = join(folder, 'encoder.onnx');
    await writeFile(path, onnxEncoder());
    await addModel(database.db, { dataDir, path });
    const [pictured, bare] = [await item(), await item()];
    await show(pictured, await picture(26));
    await run('v.ndjson', [row({ itemId: pictured }), row({ itemId: bare, vector: second })]);
    await updateCatalogVectors(database.db, { dataDir });
    expect((await vectorOf(pictured, EMBEDDING_MODEL))![0]).toBeCloseTo(good![0]!, 6);
    await show(pictured, await picture(57));
    await updateCatalogVectors(database.db, { dataDir });
    expect((await vectorOf(pictured, EMBEDDING_MODEL))![0]).not.toBeCloseTo(good![0]!, 6);
    expect((await vectorOf(bare, EMBEDDING_MODEL))![0]).toBeCloseTo(second![0]!, 6);
    await removeModel(database.db, { dataDir });
  });
});
