import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { conformancePictures } from '../../src/vision/encoder/conformance.ts';
import { embedPicture } from '../../src/vision/encoder/embed.ts';
import { addedModel, addModel, EMBEDDING_MODEL, modelPath, removeModel } from '../../src/vision/encoder/models.ts';
import { encoderInput } from '../../src/vision/encoder/preprocess.ts';
import { countVectors, writeVectors } from '../../src/vision/vectors/stored-vectors.ts';
import { anItem } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { type OnnxGraph, onnxEncoder } from '../support/onnx.ts';
import { randomVectors } from '../support/vectors.ts';

let database: FreshDatabase;
let dataDir: string;

beforeAll(async () => {
  database = await freshDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'mintmark-models-'));
});
afterAll(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});
afterEach(() => removeModel(database.db, { dataDir }));

async function file(content: Uint8Array | string): Promise<string> {
  const path = join(dataDir, 'given.onnx');
  await writeFile(path, content);
  return path;
}
const add = async (content: Uint8Array | string) => addModel(database.db, { dataDir, path: await file(content) });
const addGraph = (graph?: OnnxGraph) => add(onnxEncoder(graph));
const cosine = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe('adding a model', () => {
  test('keeps its file, its hash, its names and what it gives for our pictures', async () => {
    const model = await addGraph({ inputName: 'pixels', outputName: 'features' });
    expect(model).toMatchObject({ name: EMBEDDING_MODEL, inputName: 'pixels', outputName: 'features', dropped: 0 });
    expect(await readdir(join(dataDir, 'models'))).toEqual([`${model.sha256}.onnx`]);
    const kept = await addedModel(database.db);
    expect(kept!.sha256).toBe(model.sha256);
    expect(kept!.conformance).toEqual(model.conformance);
    expect(kept!.conformance).toHaveLength(conformancePictures().length);
    for (const vector of kept!.conformance) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  test.each<[string, Uint8Array | string, RegExp]>([
    ['no graph at all', 'not a model', /not an ONNX graph/],
    ['half a file', onnxEncoder().subarray(0, 5000), /not an ONNX graph/],
    ['another size of pictures', onnxEncoder({ inputShape: [1, 3, 224, 224] }), /input is float32 1 × 3 × 224 × 224/],
    ['another length of vectors', onnxEncoder({ outputLength: 768 }), /output is float32 batch × 768/],
    ['the same vector for everything', onnxEncoder({ isBlind: true }), /same vector for different pictures/],
  ])('a file with %s is rejected with the reason, and nothing of it is kept', async (_, content, message) => {
    await expect(add(content)).rejects.toThrow(message);
    expect(await addedModel(database.db)).toBeNull();
    expect(await readdir(join(dataDir, 'models'))).toEqual([]);
  });

  test('a missing file is rejected', async () => {
    await expect(addModel(database.db, { dataDir, path: join(dataDir, 'nothing') })).rejects.toThrow('no such file');
  });

  test('again is not a change; another file that gives other vectors drops those of the former', async () => {
    const { db } = database;
    await addGraph({ seed: 1 });
    const [vector] = randomVectors(1, 1);
    await writeVectors(db, EMBEDDING_MODEL, [{ itemId: await anItem(db), imageHash: null, vector: vector! }]);
    expect(await addGraph({ seed: 1 })).toMatchObject({ isKnown: true, dropped: 0 });
    // Other names in the file: another hash, the same vectors.
    expect(await addGraph({ seed: 1, inputName: 'x' })).toMatchObject({ isKnown: false, dropped: 0 });
    expect((await countVectors(db)).get(EMBEDDING_MODEL)).toBe(1);
    const other = await addGraph({ seed: 2 });
    expect(other.dropped).toBe(1);
    expect((await countVectors(db)).has(EMBEDDING_MODEL)).toBe(false);
    expect(await readdir(join(dataDir, 'models'))).toEqual([`${other.sha256}.onnx`]);
  });
});

test('an embedding is the direction that the graph gives for the preprocessed picture', async () => {
  const model = await addGraph({ seed: 3 });
  for (const [i, { pixels }] of conformancePictures().entries()) {
    const vector = await embedPicture(modelPath(dataDir, model), pixels);
    expect(cosine(vector, model.conformance[i]!)).toBeCloseTo(1, 6);
  }
});

describe('what the encoder is given', () => {
  const flat = (width: number, height: number, color: number[]) => ({
    data: Uint8Array.from({ length: 3 * width * height }, (_, i) => color[i % 3]!),
    width,
    height,
  });

  test('is a picture of 256 × 256 as it is: red, green, blue, from 0 to 1', () => {
    const { pixels } = conformancePictures()[0]!;
    const input = encoderInput(pixels);
    for (const [x, y] of [
      [0, 0],
      [255, 0],
      [17, 200],
      [255, 255],
    ] as const)
      for (let c = 0; c < 3; c++)
        expect(input[(c * 256 + y) * 256 + x]).toBeCloseTo(pixels.data[3 * (y * 256 + x) + c]! / 255, 6);
  });

  test('keeps a flat color, whatever the size of the picture', () => {
    const side = fc.integer({ min: 60, max: 700 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        const input = encoderInput(flat(width, height, [10, 120, 250]));
        expect(input).toHaveLength(3 * 256 * 256);
        for (let c = 0; c < 3; c++)
          for (const at of [0, 255, 30_000, 65_535])
            expect(input[c * 65_536 + at]).toBeCloseTo([10, 120, 250][c]! / 255, 5);
      }),
      { numRuns: 20 },
    );
  });

  test('is the middle of a long picture', () => {
    const { data, width, height } = flat(256, 768, [0, 0, 0]);
    data.fill(255, 3 * 256 * 256, 3 * 256 * 512);
    expect(encoderInput({ data, width, height }).every((value) => value > 0.999)).toBe(true);
  });

  test('averages what is made smaller, and draws lines between what is made larger', () => {
    // Halved: the triangle reaches over four pixels, weighted 1, 3, 3, 1.
    const stripes = { data: new Uint8Array(3 * 512 * 512), width: 512, height: 512 };
    for (let i = 0; i < 512 * 512; i++) stripes.data.fill(i % 512 < 256 ? 0 : 200, 3 * i, 3 * i + 3);
    const half = encoderInput(stripes);
    expect([126, 127, 128, 129].map((x) => Math.round(half[x]! * 255 * 8))).toEqual([0, 200, 1400, 1600]);
    // Doubled: a quarter of the way and three quarters.
    const edge = { data: new Uint8Array(3 * 128 * 128), width: 128, height: 128 };
    for (let i = 0; i < 128 * 128; i++) edge.data.fill(i % 128 < 64 ? 0 : 200, 3 * i, 3 * i + 3);
    const double = encoderInput(edge);
    expect([126, 127, 128, 129].map((x) => Math.round(double[x]! * 255))).toEqual([0, 50, 150, 200]);
  });
});
