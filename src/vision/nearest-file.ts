import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import { GRAPH } from './nearest-graph.ts';

/**
 * An index on disk: `<data folder>/vectors/<model>/<generation>/`, written under another name and renamed when whole, so
 * that what is found is never half an index. Only made from the database, and checked against it when opened.
 */
export type Generation = {
  folder: string;
  /** Every change of the vectors up to this version is in it. */
  version: number;
  /** Rows of the files; some may be empty. */
  slots: number;
};

/** `graph`: of usearch. `vectors`: float32, a row a slot. `rows`: id (16 bytes, zeros where empty) and digest (8). */
const FILES = ['graph', 'vectors', 'rows'] as const;
const MANIFEST = 'manifest.json';
/** Layout of the files; what is in the graph depends on its settings too. */
const FORMAT = 2;

type Manifest = {
  format: number;
  graph: typeof GRAPH;
  version: number;
  slots: number;
  files: Record<string, { bytes: number; crc: number }>;
};

/** The newest whole index of a model, every byte of it checked. Broken ones are deleted. */
export async function newestGeneration(dataDir: string, model: string): Promise<Generation | null> {
  for (let folder = await newestFolder(dataDir, model); folder !== null; folder = await newestFolder(dataDir, model)) {
    const manifest = await wholeManifest(folder);
    if (manifest !== null) return { folder, version: manifest.version, slots: manifest.slots };
    await rm(folder, { recursive: true, force: true });
  }
  return null;
}

/** The folder of the newest index, unchecked. */
export async function newestFolder(dataDir: string, model: string): Promise<string | null> {
  const home = homeOf(dataDir, model);
  const names = (await readdir(home).catch(() => [])).filter((name) => /^\d+-\w+$/.test(name));
  return names.length === 0 ? null : join(home, names.sort().at(-1)!);
}

/** A folder to write the files of a new index into. */
export async function beginGeneration(dataDir: string, model: string): Promise<string> {
  const folder = join(homeOf(dataDir, model), `unfinished-${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Makes the files in `unfinished` the newest index and drops the others. Who has one of them open keeps it until closed. */
export async function finishGeneration(unfinished: string, content: { version: number; slots: number }): Promise<void> {
  const home = join(unfinished, '..');
  const manifest: Manifest = { format: FORMAT, graph: GRAPH, ...content, files: {} };
  for (const name of FILES) {
    const file = await open(join(unfinished, name));
    await file.sync();
    await file.close();
    manifest.files[name] = await sumOf(join(unfinished, name));
  }
  await writeFile(join(unfinished, MANIFEST), JSON.stringify(manifest), { flush: true });
  const others = await readdir(home);
  // Names are put in order by time: as many digits for the next 250 years.
  const name = `${Date.now()}-${randomBytes(4).toString('hex')}`;
  await rename(unfinished, join(home, name));
  await Promise.all(others.map((other) => rm(join(home, other), { recursive: true, force: true }).catch(() => {})));
}

/** Deletes an index that cannot be used. */
export async function dropGeneration({ folder }: Generation): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

function homeOf(dataDir: string, model: string): string {
  return join(dataDir, 'vectors', model);
}

async function wholeManifest(folder: string): Promise<Manifest | null> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest;
    if (manifest.format !== FORMAT || !isDeepStrictEqual(manifest.graph, GRAPH)) return null;
    for (const name of FILES) {
      const { bytes, crc } = manifest.files[name]!;
      if ((await stat(join(folder, name))).size !== bytes) return null;
      if ((await sumOf(join(folder, name))).crc !== crc) return null;
    }
    return manifest;
  } catch {
    return null;
  }
}

async function sumOf(path: string): Promise<{ bytes: number; crc: number }> {
  let [bytes, crc] = [0, 0];
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    bytes += (chunk as Buffer).length;
    crc = crc32(chunk as Buffer, crc);
  }
  return { bytes, crc };
}
