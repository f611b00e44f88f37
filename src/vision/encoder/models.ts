import { copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { VECTOR_LENGTH } from '../../catalog/tags/zero-shot.ts';
import type { Db, Sql } from '../../db/client.ts';
import { fileDigest } from '../../files.ts';
import { removeAbandoned, unfinishedPath } from '../pictures/unfinished.ts';
import { bytesOf, dropVectors } from '../vectors/stored-vectors.ts';
import { conformancePictures, LEAST_COSINE } from './conformance.ts';
import { openSession, UnusableModel } from './session.ts';

/** The one model whose vectors callers send; no other space of embeddings is kept. */
export const EMBEDDING_MODEL = 'mobileclip-s2';

/** A model that was added: its file is `models/<sha256>.onnx` in the data folder. */
export type EncoderModel = {
  name: string;
  sha256: string;
  inputName: string;
  outputName: string;
  /** What it gave for our pictures, in their order. */
  conformance: Float32Array[];
  addedAt: Date;
};

type AddedModel = EncoderModel & {
  /** It was there before, the same file. */
  isKnown: boolean;
  /** Vectors that were dropped since the file before gave others for the same pictures. */
  dropped: number;
};

/** The model that was added; null without one. */
export async function addedModel(sql: Sql): Promise<EncoderModel | null> {
  const [row] = await sql.query<Omit<EncoderModel, 'conformance'> & { conformance: Buffer }>(
    `select name, sha256, input_name as "inputName", output_name as "outputName", conformance, added_at as "addedAt"
     from models where name = $1`,
    [EMBEDDING_MODEL],
  );
  return row === undefined ? null : { ...row, conformance: vectorsOf(row.conformance) };
}

/** Path of the file of the model that was added; null without one, or where this machine does not have it. */
export async function encoderFile(sql: Sql, dataDir: string): Promise<string | null> {
  const [model] = await sql.prepared<{ sha256: string }>('encoder_file', 'select sha256 from models where name = $1', [
    EMBEDDING_MODEL,
  ]);
  if (model === undefined) return null;
  const path = modelPath(dataDir, model);
  const info = await stat(path).catch(() => null);
  return info === null ? null : path;
}

/** The path of the file of a model. */
export function modelPath(dataDir: string, { sha256 }: Pick<EncoderModel, 'sha256'>): string {
  return join(dataDir, 'models', `${sha256}.onnx`);
}

/**
 * Checks an ONNX file of the image encoder and keeps a copy of it. In the place of another file that gives other vectors
 * for our pictures, all vectors of the model are dropped: they are of another space. Throws UnusableModel.
 */
export async function addModel(db: Db, { dataDir, path }: { dataDir: string; path: string }): Promise<AddedModel> {
  const info = await stat(path).catch(() => null);
  if (info === null || !info.isFile()) throw new UnusableModel('no such file');
  // What is checked is the copy: the file might change meanwhile.
  const folder = join(dataDir, 'models');
  const unfinished = unfinishedPath(join(folder, 'encoder'));
  await mkdir(folder, { recursive: true });
  await removeAbandoned(folder);
  try {
    await copyFile(path, unfinished);
    const sha256 = (await fileDigest(unfinished)).toString('hex');
    const checked = await conform(unfinished);
    await rename(unfinished, modelPath(dataDir, { sha256 }));
    return await register(db, dataDir, { name: EMBEDDING_MODEL, sha256, ...checked });
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Takes the model away with its file; the vectors stay, since others can still search with vectors of their own. */
export async function removeModel(db: Db, { dataDir }: { dataDir: string }): Promise<boolean> {
  const model = await addedModel(db);
  if (model === null) return false;
  await db.query('delete from models where name = $1', [model.name]);
  await rm(modelPath(dataDir, model), { force: true });
  return true;
}

async function conform(path: string): Promise<Pick<EncoderModel, 'inputName' | 'outputName' | 'conformance'>> {
  const session = await openSession(path);
  try {
    const conformance: Float32Array[] = [];
    for (const { pixels } of conformancePictures()) {
      conformance.push(
        await session.embed(pixels).catch((error: Error) => {
          throw new UnusableModel(`it gives no vector for a picture: ${error.message.slice(0, 200)}`);
        }),
      );
    }
    const isBlind = conformance.some((vector, i) => i > 0 && cosine(vector, conformance[0]!) > LEAST_COSINE);
    if (isBlind) throw new UnusableModel('it gives the same vector for different pictures');
    return { inputName: session.inputName, outputName: session.outputName, conformance };
  } finally {
    await session.close();
  }
}

async function register(db: Db, dataDir: string, model: Omit<EncoderModel, 'addedAt'>): Promise<AddedModel> {
  const former = await addedModel(db);
  const isKnown = former?.sha256 === model.sha256;
  const isOther =
    former?.conformance.some((vector, i) => cosine(vector, model.conformance[i]!) < LEAST_COSINE) ?? false;
  const values = [
    model.name,
    model.sha256,
    model.inputName,
    model.outputName,
    Buffer.concat(model.conformance.map(bytesOf)),
  ];
  const [row] = await db.query<{ addedAt: Date }>(
    `insert into models (name, sha256, input_name, output_name, conformance) values ($1, $2, $3, $4, $5)
     on conflict (name) do update set sha256 = excluded.sha256, input_name = excluded.input_name,
       output_name = excluded.output_name, conformance = excluded.conformance, added_at = now()
     returning added_at as "addedAt"`,
    values,
  );
  const dropped = isOther ? await dropVectors(db, model.name, null) : 0;
  if (former !== null && !isKnown) await rm(modelPath(dataDir, former), { force: true });
  return { ...model, addedAt: row!.addedAt, isKnown, dropped };
}

function vectorsOf(bytes: Buffer): Float32Array[] {
  const all = new Float32Array(Uint8Array.from(bytes).buffer);
  return Array.from({ length: all.length / VECTOR_LENGTH }, (_, i) =>
    all.slice(i * VECTOR_LENGTH, (i + 1) * VECTOR_LENGTH),
  );
}

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}
