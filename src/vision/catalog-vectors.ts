import type { Db } from '../db/client.ts';
import { DESCRIPTOR, describeCard } from './descriptor.ts';
import { embedPicture } from './encoder/embed.ts';
import { EMBEDDING_MODEL, encoderFile } from './encoder/models.ts';
import { keepMeasured } from './impostors.ts';
import { cardPixels, picturePixels } from './pictures/card-pixels.ts';
import { type PictureModel, type UpdateOptions, updateVectors, type VectorsReport } from './update-vectors.ts';

/** What the catalog's pictures are described by: the descriptor always, the encoder where a model was added. */
async function pictureModels(db: Db, { dataDir }: { dataDir: string }): Promise<PictureModel[]> {
  const descriptor = {
    name: DESCRIPTOR.name,
    vectorOf: async (bytes: Uint8Array) => describeCard(await cardPixels(bytes)),
  };
  const path = await encoderFile(db, dataDir);
  if (path === null) return [descriptor];
  return [
    descriptor,
    { name: EMBEDDING_MODEL, vectorOf: async (bytes) => embedPicture(path, await picturePixels(bytes)) },
  ];
}

/** Brings the vectors of every model up to the catalog's pictures. */
export async function updateCatalogVectors(
  db: Db,
  options: Omit<UpdateOptions, 'onProgress'> & {
    onProgress?: (model: string, pictures: number, total: number) => void;
  },
): Promise<{ model: string; report: VectorsReport }[]> {
  const { dataDir, signal, onProgress } = options;
  const reports: { model: string; report: VectorsReport }[] = [];
  for (const model of await pictureModels(db, options)) {
    const follow = (pictures: number, total: number) => onProgress?.(model.name, pictures, total);
    const report = await updateVectors(db, model, { dataDir, signal, onProgress: follow });
    reports.push({ model: model.name, report });
    if (signal?.aborted) break;
    if (model.name === EMBEDDING_MODEL) await keepMeasured(db, model.name);
  }
  return reports;
}
