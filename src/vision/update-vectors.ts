import { readFile } from 'node:fs/promises';
import type { Db } from '../db/client.ts';
import { UnusableImage } from './pictures/decode.ts';
import { imagePath } from './pictures/image-store.ts';
import { copyVectors, dropVectors, type ItemVector, writeVectors } from './vectors/stored-vectors.ts';

/** What makes vectors of pictures, by the name that is kept with them. */
export type PictureModel = {
  name: string /** Of a kept picture. Throws UnusableImage. */;
  vectorOf(bytes: Uint8Array): Promise<Float32Array>;
};

export type VectorsReport = {
  /** Pictures that were processed. */
  made: number;
  /** Items whose picture was known from another item. */
  copied: number;
  /** Items whose picture was removed, or that the catalog no longer has. */
  dropped: number;
  unreadable: { hash: string; message: string }[];
};

export type UpdateOptions = {
  dataDir: string;
  /** Aborted: what has been made is kept, and the next run goes on. */
  signal?: AbortSignal;
  onProgress?: (pictures: number, total: number) => void;
};

type PendingPicture = { hash: string; itemIds: string[] };

const BATCH_PICTURES = 64;
/** Pictures in work at a time: the decoder has threads of its own. */
const AT_ONCE = 4;

/**
 * Gives each item with a picture of ours the vector of that picture, unless it has it; each picture is processed once,
 * however many items show it. Stopped at any point, the next run does only what is missing. Vectors that were imported
 * for items without a picture are left alone.
 */
export async function updateVectors(db: Db, model: PictureModel, options: UpdateOptions): Promise<VectorsReport> {
  const { dataDir, signal, onProgress } = options;
  const report: VectorsReport = { made: 0, copied: 0, dropped: 0, unreadable: [] };
  report.dropped = await dropRemoved(db, model.name);
  report.copied = await copyVectors(db, model.name);
  const pictures = await pendingPictures(db, model.name);
  for (let at = 0; at < pictures.length && !signal?.aborted; at += BATCH_PICTURES) {
    const made: ItemVector[] = [];
    const failed: string[] = [];
    const queue = pictures.slice(at, at + BATCH_PICTURES);
    const work = async () => {
      while (queue.length > 0 && !signal?.aborted) {
        const { hash, itemIds } = queue.shift()!;
        const vector = await look(model, imagePath(dataDir, hash, 'full'));
        if (typeof vector === 'string') {
          report.unreadable.push({ hash, message: vector });
          failed.push(...itemIds);
        } else made.push(...itemIds.map((itemId) => ({ itemId, imageHash: hash, vector })));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await writeVectors(db, model.name, made);
    // What they have is of another picture.
    await dropVectors(db, model.name, failed);
    const done = Math.min(pictures.length, at + BATCH_PICTURES) - queue.length;
    report.made = done;
    onProgress?.(done, pictures.length);
  }
  report.made -= report.unreadable.length;
  return report;
}

/** The vector of a file, or why it cannot be made. */
async function look(model: PictureModel, path: string): Promise<Float32Array | string> {
  try {
    return await model.vectorOf(await readFile(path));
  } catch (error) {
    if (error instanceof UnusableImage) return error.message;
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return `cannot be read (${code})`;
  }
}

async function pendingPictures(db: Db, model: string): Promise<PendingPicture[]> {
  return db.query<PendingPicture>(
    `with made as materialized (
       select item_id, image_hash from item_vectors where model = $1 and digest is not null
     )
     select p.hash, array_agg(p.item_id::text order by p.item_id) as "itemIds"
     from item_images p join items i on i.id = p.item_id and i.removed_at is null
     where not exists (select from made v where v.item_id = p.item_id and v.image_hash = p.hash)
     group by p.hash order by p.hash`,
    [model],
  );
}

async function dropRemoved(db: Db, model: string): Promise<number> {
  const removed = await db.query<{ id: string }>(
    `select v.item_id as id from item_vectors v join items i on i.id = v.item_id
     where v.model = $1 and v.image_hash is not null and v.digest is not null
       and (i.removed_at is not null or not exists (select from item_images p where p.item_id = v.item_id))`,
    [model],
  );
  await dropVectors(
    db,
    model,
    removed.map(({ id }) => id),
  );
  return removed.length;
}
