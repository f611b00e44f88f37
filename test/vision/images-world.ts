import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { BASE_URL, type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

/** A server with a data folder of its own. */
export type ImagesWorld = { database: FreshDatabase; dataDir: string; api: TestApp; close(): Promise<void> };

export async function imagesWorld(): Promise<ImagesWorld> {
  const database = await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'mintmark-images-'));
  const api = await testApp(database.db, { env: { MINTMARK_DATA: dataDir } });
  const close = async () => {
    await api.app.close();
    await database.close();
    await rm(dataDir, { recursive: true });
  };
  return { database, dataDir, api, close };
}

export const picture = (background: string, width = 300, height = 418) =>
  sharp({ create: { width, height, channels: 3, background } });

/** The paths of an item's images; null where it has none. */
export async function imagesOf(api: TestApp, id: string) {
  const [card] = (await api.get(`/v1/items/summaries?ids=${id}`)).json;
  const path = (url: string | null) => (url === null ? url : url.replace(BASE_URL, '')) as string;
  return { full: path(card.imageUrl), thumb: path(card.imageUrlThumb) };
}
