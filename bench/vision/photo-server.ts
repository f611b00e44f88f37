import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '../../src/db/client.ts';
import { updateCatalogVectors } from '../../src/vision/catalog-vectors.ts';
import { importImages } from '../../src/vision/pictures/import-images.ts';
import { formOf, MULTIPART } from '../../test/support/multipart.ts';
import { testData } from '../../test/support/test-data.ts';
import { benchDatabase } from '../http/http-database.ts';
import { type BenchServer, startServer } from '../http/http-load.ts';
import { catalogImages } from './photo-set.ts';

export type PhotoServer = BenchServer & {
  /** Item ids by the ids of the catalog images. */
  items: Map<string, string>;
  /** Sends one photo as `file`. */
  send(path: string, photo: Buffer): Promise<{ status: number; body: Record<string, unknown> }>;
  /** The same for a route that answers with events: all of them, as they came. */
  stream(path: string, photo: Buffer): Promise<string>;
  end(): Promise<void>;
};

/** A server in a process of its own whose catalog has real images, imported and described as an operator does it. */
export async function startPhotoServer(pictures: number, env: Record<string, string> = {}): Promise<PhotoServer> {
  const database = await benchDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'mintmark-photos-'));
  chmodSync(dataDir, 0o755);
  const items = await addItems(database.db);
  const mapping = (await catalogImages()).slice(0, pictures).map(({ id, file }) => ({ file, item: items.get(id)! }));
  const folder = testData('images', 'catalog')!;
  const began = performance.now();
  const { imported, problems } = await importImages(database.db, { folder, dataDir, mapping });
  const importedMs = performance.now() - began;
  await updateCatalogVectors(database.db, { dataDir });
  const describedMs = performance.now() - began - importedMs;
  console.log(
    `${imported} pictures imported in ${(importedMs / 1000).toFixed(1)} s, described in ${(describedMs / 1000).toFixed(1)} s; ${problems.length} problems`,
  );
  const server = await startServer({
    serve: 'app',
    connection: database.connection,
    cacheMb: 0,
    env: { MINTMARK_DATA: dataDir, IMAGE_PUBLIC: '900000000', ...env },
  });
  const post = (path: string, photo: Buffer) => {
    const body = formOf({ name: 'file', bytes: photo }) as unknown as BodyInit;
    return fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', headers: MULTIPART, body });
  };
  return {
    ...server,
    items,
    async send(path, photo) {
      const response = await post(path, photo);
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    stream: async (path, photo) => (await post(path, photo)).text(),
    async end() {
      server.stop();
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** An item for each image, in three sets. */
async function addItems(db: Db): Promise<Map<string, string>> {
  const ids = (await catalogImages()).map(({ id }) => id);
  await db.query(
    `insert into sets (game, segment, name, code, identity)
     select case when c = 'gundam' then c else 'pokemon' end, c || '-set', c, c, 'bench ' || c
     from unnest(array['xy12', 'sv1', 'gundam']) c`,
  );
  const rows = await db.query<{ name: string; id: string }>(
    `insert into items (id, game, set_id, number, name, language, stem, identity_key)
     select md5(n)::uuid, s.game, s.id, split_part(n, '-', 2) || split_part(n, '-', 3), n, 'English', lower(n), n
     from unnest($1::text[]) n join sets s on s.code = split_part(n, '-', 1) returning name, id`,
    [ids],
  );
  return new Map(rows.map(({ name, id }) => [name, id]));
}
