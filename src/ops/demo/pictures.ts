import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { importTags, type TagEntry } from '../../catalog/tags/import-tags.ts';
import type { Db } from '../../db/client.ts';
import { updateCatalogVectors } from '../../vision/catalog-vectors.ts';
import { importImages } from '../../vision/pictures/import-images.ts';
import { demoArtAt, demoMoodAt } from './demo-art.ts';

/** Dots an inch: drawings of 300 pixels at 72 become 450 wide, enough for a page and quick to encode. */
const DENSITY = 108;

type Options = {
  dataDir: string;
  /** On abort finished pictures are kept, and the next start goes on. */
  signal: AbortSignal;
  say(step: string): void;
};

/** Items of the demo with the address of their drawing, and whether its picture was imported. */
type DrawnItem = { id: string; art: string; isImported: boolean };

/**
 * Makes the demo's pictures once, through the imports that an operator's pictures take: drawings become PNG files, card
 * images with their `color` tags, `mood` tags and vectors. Cut off, the next call does what is missing.
 */
export async function makeDemoPictures(db: Db, { dataDir, signal, say }: Options): Promise<void> {
  const items = await db.query<DrawnItem>(
    `select i.id, coalesce(p.source_image_url, i.image_url) as art, p.item_id is not null as "isImported"
     from items i left join item_images p on p.item_id = i.id
     where coalesce(p.source_image_url, i.image_url) like '/demo/art/%' and i.removed_at is null order by i.id`,
  );
  const missing = items.filter(({ isImported }) => !isImported);
  if (missing.length > 0) await importDrawings(db, missing, { dataDir, signal, say });
  if (!signal.aborted) await importTags(db, moodEntries(items), { origin: 'demo-art' });
  const described = (_model: string, done: number, total: number) => say(`pictures described: ${done} of ${total}`);
  await updateCatalogVectors(db, { dataDir, signal, onProgress: described });
}

async function importDrawings(db: Db, items: readonly DrawnItem[], { dataDir, signal, say }: Options): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-demo-art-'));
  try {
    const fileOf = new Map([...new Set(items.map(({ art }) => art))].map((art, n) => [art, `${n}.png`]));
    for (const [art, file] of fileOf) {
      if (signal.aborted) return;
      await writeFile(join(folder, file), await pngOf(art));
    }
    const mapping = items.map(({ id, art }) => ({ file: fileOf.get(art)!, item: id }));
    const onProgress = (done: number, total: number) => say(`pictures imported: ${done} of ${total}`);
    await importImages(db, { folder, dataDir, mapping, signal, onProgress });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function pngOf(art: string): Promise<Buffer> {
  return sharp(Buffer.from(demoArtAt(art)!), { density: DENSITY })
    .png()
    .toBuffer();
}

async function* moodEntries(items: readonly DrawnItem[]): AsyncGenerator<TagEntry> {
  for (const [at, { id, art }] of items.entries()) {
    const { slug, name } = demoMoodAt(art)!;
    const tag = { kind: 'mood', slug, name, game: null, active: null, aliases: [] };
    yield { line: at + 1, row: { ...tag, item: { by: 'itemId', value: id } } };
  }
}
