import { stat } from 'node:fs/promises';
import { basename, extname, join, relative } from 'node:path';
import { listFiles, UnreadableFile } from '../../catalog/formats/files.ts';
import type { Game } from '../../catalog/games.ts';
import type { Db, Session } from '../../db/client.ts';
import { beginImport, finishImport } from '../../db/import-rows.ts';
import { writeColorTags } from './color-tags.ts';
import { readImageFile, UnusableImage } from './decode.ts';
import { type Color, dominantColors } from './dominant-colors.ts';
import { itemsNamed } from './image-items.ts';
import { hasImage, imageAddress, removeAbandonedImages, storeImage } from './image-store.ts';
import { encodeCardImage, imageHash } from './kept-image.ts';

/** `files` = imported + unchanged + problems. */
type ImagesReport = {
  files: number;
  imported: number;
  /** Pictures that were there before, the same for the same items. */
  unchanged: number;
  /** Items that have a picture of ours through these files. */
  items: number;
  problems: { file: string; message: string }[];
};

/** Which item a file shows, as the operator says: a catalog id or a source's id. */
export type ImageMapping = { file: string; item: string };

type ImportImagesOptions = {
  folder: string;
  dataDir: string;
  /** Without it, each file is named by the id of its item. */
  mapping?: readonly ImageMapping[];
  /** Ids are those of this game: games number cards alike. */
  game?: Game;
  /** Aborted: what was taken is kept, and the next run goes on. */
  signal?: AbortSignal;
  /** Called after each batch. */
  onProgress?: (files: number, total: number) => void;
};

type ImageTask = { file: string; itemIds: string[] };
type TakenImage = { itemIds: string[]; hash: string; width: number; height: number; colors: Color[] };

const EXTENSIONS = ['.jpg', '.jpeg', '.png', '.webp', '.avif'].flatMap((one) => [one, one.toUpperCase()]);
const BATCH_FILES = 50;
/** Pictures in work at a time: the decoder has threads of its own. */
const AT_ONCE = 4;

/**
 * Takes card images from the operator's disk: re-encoded into the data folder, `imageUrl` of their items from then on,
 * and the colors for `color` tags. A file that cannot be used is reported by name and the others count; running it
 * again does only what is missing.
 */
export async function importImages(db: Db, options: ImportImagesOptions): Promise<ImagesReport> {
  const { folder, dataDir, signal, onProgress } = options;
  const report: ImagesReport = { files: 0, imported: 0, unchanged: 0, items: 0, problems: [] };
  const tasks = await tasksOf(db, options, report);
  await removeAbandonedImages(dataDir);
  const known = await knownHashes(db);
  const shown = new Set<string>();
  const importId = await beginImport(db, 'images', 'folder');
  for (let at = 0; at < tasks.length && !signal?.aborted; at += BATCH_FILES) {
    const taken: TakenImage[] = [];
    const queue = tasks.slice(at, at + BATCH_FILES);
    const work = async () => {
      while (queue.length > 0 && !signal?.aborted) {
        const task = queue.shift()!;
        const one = await take(join(folder, task.file), task, known, dataDir).catch((error: Error) => {
          if (!(error instanceof UnusableImage)) throw error;
          report.problems.push({ file: task.file, message: error.message });
        });
        if (one === undefined) continue;
        for (const id of task.itemIds) shown.add(id);
        if (one === null) report.unchanged++;
        else taken.push(one);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    await db.transaction((session) => write(session, taken));
    report.imported += taken.length;
    onProgress?.(Math.min(tasks.length, at + BATCH_FILES) - queue.length, tasks.length);
  }
  report.items = shown.size;
  report.problems.sort((a, b) => (a.file < b.file ? -1 : 1));
  const { problems, ...counts } = report;
  await finishImport(db, importId, { ...counts, problems: problems.length });
  if (report.imported > 0) await db.query(`select pg_notify('catalog', '')`);
  return report;
}

/** The files with what they show; those that show nothing we know are reported at once. */
async function tasksOf(
  db: Db,
  { folder, mapping, game }: ImportImagesOptions,
  report: ImagesReport,
): Promise<ImageTask[]> {
  if (!(await stat(folder).catch(() => null))?.isDirectory()) throw new UnreadableFile(`${folder}: no such folder`);
  const files =
    mapping ??
    (await listFiles([folder], EXTENSIONS)).map((path) => ({
      file: relative(folder, path),
      item: nameOf(path),
    }));
  report.files = files.length;
  const items = await itemsNamed(db, [...new Set(files.map(({ item }) => item))], game ?? null);
  const tasks: ImageTask[] = [];
  const fileOf = new Map<string, string>();
  for (const { file, item } of files) {
    const { itemIds, problem } = items.get(item)!;
    const other = itemIds?.map((id) => fileOf.get(id)).find((one) => one !== undefined);
    if (itemIds === null) report.problems.push({ file, message: problem });
    else if (other !== undefined) report.problems.push({ file, message: `shows the same item as ${other}` });
    else {
      for (const id of itemIds) fileOf.set(id, file);
      tasks.push({ file, itemIds });
    }
  }
  return tasks;
}

/** What a file is called without its ending; `%3A` and the like are characters that file names cannot have. */
function nameOf(path: string): string {
  const name = basename(path, extname(path));
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

async function knownHashes(db: Db): Promise<Map<string, string>> {
  const rows = await db.query<{ item_id: string; hash: string }>('select item_id, hash from item_images');
  return new Map(rows.map((row) => [row.item_id, row.hash]));
}

/** Null: it is there already. */
async function take(
  path: string,
  { itemIds }: ImageTask,
  known: Map<string, string>,
  dataDir: string,
): Promise<TakenImage | null> {
  const bytes = await readImageFile(path);
  const hash = imageHash(bytes);
  if (itemIds.every((id) => known.get(id) === hash) && (await hasImage(dataDir, hash))) return null;
  const image = await encodeCardImage(bytes);
  await storeImage(dataDir, image);
  const { width, height, pixels } = image;
  return { itemIds, hash, width, height, colors: dominantColors(pixels).map(({ slug }) => slug) };
}

async function write(session: Session, taken: readonly TakenImage[]): Promise<void> {
  const rows = taken.flatMap(({ itemIds, ...image }) => itemIds.map((itemId) => ({ itemId, ...image })));
  if (rows.length === 0) return;
  // The catalog's own address is kept in columns of its own: src/catalog/import.ts updates it there.
  await session.query(
    `insert into item_images (item_id, hash, width, height, source_image_url, source_image_url_thumb)
     select r.item_id, r.hash, r.width, r.height, i.image_url, i.image_url_thumb
     from unnest($1::uuid[], $2::text[], $3::int[], $4::int[]) r (item_id, hash, width, height)
       join items i on i.id = r.item_id order by r.item_id
     on conflict (item_id) do update set hash = excluded.hash, width = excluded.width, height = excluded.height,
       imported_at = now()`,
    [rows.map((r) => r.itemId), rows.map((r) => r.hash), rows.map((r) => r.width), rows.map((r) => r.height)],
  );
  await session.query(
    `update items set image_url = r.full, image_url_thumb = r.thumb, updated_at = now()
     from unnest($1::uuid[], $2::text[], $3::text[]) r (item_id, "full", thumb) where items.id = r.item_id`,
    [
      rows.map((row) => row.itemId),
      rows.map((row) => imageAddress(row.hash, 'full')),
      rows.map((row) => imageAddress(row.hash, 'thumb')),
    ],
  );
  await writeColorTags(session, rows);
}
