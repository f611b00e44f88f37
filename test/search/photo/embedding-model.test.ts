import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addModel, EMBEDDING_MODEL } from '../../../src/vision/encoder/models.ts';
import { openSession } from '../../../src/vision/encoder/session.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { onnxEncoder } from '../../support/onnx.ts';

const PATH = '/v1/search/embedding-model';

let database: FreshDatabase;
let dataDir: string;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'mintmark-model-'));
  api = await testApp(database.db, { env: { MINTMARK_DATA: dataDir } });
});
afterAll(async () => {
  await api.app.close();
  await database.close();
  await rm(dataDir, { recursive: true });
});

test('404 while no model was added', async () => {
  const { status, json } = await api.get(PATH);
  expect([status, json.error]).toEqual([404, 'not_found']);
});

test('states what it takes to make the same vectors, and to prove it', async () => {
  const path = join(dataDir, 'given.onnx');
  await writeFile(path, onnxEncoder({ seed: 7 }));
  await addModel(database.db, { dataDir, path });
  const { status, json, text } = await api.get(PATH);
  expect(status).toBe(200);
  expect(json).toMatchObject({ model: EMBEDDING_MODEL, dimension: 512 });
  expect(json.sha256).toBe(
    createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  );
  expect(json.preprocessing).toMatchObject({ resize: { shortSide: 256, filter: 'bilinear' }, mean: [0, 0, 0] });
  expect(text.length).toBeLessThan(100_000);
  // As a phone does: the published pictures through the same encoder.
  const session = await openSession(path);
  expect(json.conformance.pictures.length).toBeGreaterThanOrEqual(3);
  for (const { png, width, height, vector } of json.conformance.pictures) {
    const { data, info } = await sharp(Buffer.from(png, 'base64')).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([width, height, 3]);
    const own = await session.embed({ data, width, height });
    const cosine = own.reduce((sum, value, i) => sum + value * vector[i], 0);
    expect(cosine).toBeGreaterThan(json.conformance.leastCosine);
    expect(cosine).toBeCloseTo(1, 5);
  }
  await session.close();
});

test('is another answer once another model was added', async () => {
  const before = await api.get(PATH);
  const path = join(dataDir, 'other.onnx');
  await writeFile(path, onnxEncoder({ seed: 8 }));
  await addModel(database.db, { dataDir, path });
  const after = await api.get(PATH);
  expect(after.json.sha256).not.toBe(before.json.sha256);
  expect(after.headers.etag).not.toBe(before.headers.etag);
});
