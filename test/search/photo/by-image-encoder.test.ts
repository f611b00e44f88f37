import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateCatalogVectors } from '../../../src/vision/catalog-vectors.ts';
import { DESCRIPTOR } from '../../../src/vision/descriptor.ts';
import { addModel, EMBEDDING_MODEL } from '../../../src/vision/encoder/models.ts';
import { onnxEncoder } from '../../support/onnx.ts';
import { drawnCard } from '../../support/photos/drawn-cards.ts';
import { type ImageWorld, imageWorld } from './image-world.ts';

let world: ImageWorld;
beforeAll(async () => {
  world = await imageWorld(12);
  const { dataDir } = world.api.context.config;
  const path = join(dataDir, 'given.onnx');
  await writeFile(path, onnxEncoder());
  await addModel(world.database.db, { dataDir, path });
  await updateCatalogVectors(world.database.db, { dataDir });
});
afterAll(() => world.close());

const search = async (photo: Buffer) => (await world.send('/v1/search/by-image', [photo])).json;

test('with an encoder, a photo that is recognized is answered as without', async () => {
  const { ids, confidence, model } = await search(world.pictures[3]!);
  expect([ids[0], confidence, model]).toEqual([world.ids[3], 'high', DESCRIPTOR.name]);
});

test('one that is not is searched for in each space separately, and is never found with certainty', async () => {
  for (const seed of [900, 901, 902]) {
    const { ids, scores, confidence, model } = await search(await drawnCard(seed));
    expect(model).toBe(`${DESCRIPTOR.name}+${EMBEDDING_MODEL}`);
    expect(confidence).not.toBe('high');
    expect(scores).toEqual([...scores].sort((a: number, b: number) => b - a));
    expect(ids.length > 0).toBe(confidence !== 'none');
  }
});
