import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateCatalogVectors } from '../../../src/vision/catalog-vectors.ts';
import { importImages } from '../../../src/vision/pictures/import-images.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { anItem, aSet } from '../../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { formOf, MULTIPART } from '../../support/multipart.ts';
import { drawnCard } from '../../support/photos/drawn-cards.ts';

export type ImageWorld = {
  database: FreshDatabase;
  api: TestApp;
  /** Ids and pictures of the catalog, in one order. */
  ids: string[];
  pictures: Buffer[];
  /** Sends photos to a route, as the parts it takes. */
  send(
    path: string,
    photos: readonly (Buffer | string)[],
    name?: string,
    headers?: object,
  ): ReturnType<TestApp['post']>;
  close(): Promise<void>;
};

/** An app whose catalog has that many drawn cards with their pictures. */
export async function imageWorld(cards: number, env: Record<string, string> = {}): Promise<ImageWorld> {
  const database = await freshDatabase();
  const { db } = database;
  const dataDir = await mkdtemp(join(tmpdir(), 'mintmark-photos-'));
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-cards-'));
  const set = await aSet(db);
  const ids: string[] = [];
  const pictures: Buffer[] = [];
  for (let i = 0; i < cards; i++) {
    ids.push(await anItem(db, { set, number: String(i + 1), name: `Card ${i + 1}` }));
    pictures.push(await drawnCard(i));
    await writeFile(join(folder, `${ids[i]}.png`), pictures[i]!);
  }
  await importImages(db, { folder, dataDir });
  await updateCatalogVectors(db, { dataDir });
  const api = await testApp(db, { env: { MINTMARK_DATA: dataDir, VISION_WORKERS: '1', ...env } });
  return {
    database,
    api,
    ids,
    pictures,
    send: (path, photos, name = 'file', headers = {}) =>
      api.post(path, formOf(...photos.map((bytes) => ({ name, bytes }))), { headers: { ...MULTIPART, ...headers } }),
    async close() {
      await api.app.close();
      await database.close();
      for (const one of [dataDir, folder]) await rm(one, { recursive: true });
    },
  };
}
