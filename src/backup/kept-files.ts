import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pepperPath, pepperProblem } from '../access/pepper.ts';
import { readSecret } from '../access/secret-file.ts';
import type { Session } from '../db/client.ts';
import { ConfigError } from '../lib/config-error.ts';
import { recordKeyPath, signsRecord } from '../receipts/record-keys.ts';
import { type Setting, settingsText } from '../settings.ts';
import { modelPath } from '../vision/encoder/models.ts';
import { imageFiles } from '../vision/pictures/image-store.ts';
import type { ArchiveWriter } from './archive.ts';

/** Files of a backup have the names that they have in the data folder, below `data/`; settings are below `settings/`. */

export const PEPPER = 'data/key-pepper';
export const RECORD_KEY = 'data/record-key';
const SETTINGS = 'settings/mintmark.env';

/** Settings whose files are kept too. */
const NAMED_FILES = ['CONNECTIONS_FILE', 'SYNONYMS_FILE', 'INDICES_FILE'];

/** Each hash is followed by the end of the line. */
const HASH_BYTES = 33;

/** Files that the database names. */
export type NamedFiles = {
  /** Hashes of pictures, a line each: a million of them are 33 MB. */
  hashes: Buffer;
  models: { sha256: string }[];
};

/**
 * Adds the pepper and the key that signs the record, where they have been made; `seeds` are those from before and after the
 * moment of the backup: between the two, a rotation may have replaced the key.
 * @throws ConfigError when the data folder does not have those of the database.
 */
export async function addSecrets(
  archive: ArchiveWriter,
  session: Session,
  dataDir: string,
  seeds: readonly Buffer[],
): Promise<void> {
  const problem = await pepperProblem(session, pepperPath({ dataDir }));
  if (problem !== null) throw new ConfigError(problem);
  const pepper = await readSecret(pepperPath({ dataDir }));
  if (pepper !== null) await archive.add(PEPPER, pepper);
  for (const seed of seeds) if (await signsRecord(session, seed)) return await archive.add(RECORD_KEY, seed);
  const [noted] = await session.query('select from record_keys');
  if (noted !== undefined)
    throw new ConfigError(
      `${recordKeyPath({ dataDir })} is not the key that signs the record of this database: make the backup where that key is, or copy the file record-key from there.`,
    );
}

/** Adds the settings in force, secrets included, and the files that they name. */
export async function addSettings(archive: ArchiveWriter, settings: readonly Setting[]): Promise<void> {
  await archive.add(SETTINGS, Buffer.from(settingsText(settings)));
  for (const { name, value } of settings)
    if (NAMED_FILES.includes(name) && value !== null)
      await archive.add(`settings/${name}${extname(value)}`, await readFile(value));
}

/** Reads which files the database names at that moment: they are named by their content and never change. */
export async function readNamedFiles(session: Session): Promise<NamedFiles> {
  const lines = session.copyOut(
    `copy (select hash from item_images where hash ~ '^[0-9a-f]{32}$' union
       select substring(scan from '/images/([0-9a-f]{32})-') from certs, unnest(array[image_front, image_back]) scan
       where scan ~ '/images/[0-9a-f]{32}-' order by 1) to stdout`,
  );
  const chunks: Buffer[] = [];
  for await (const chunk of lines) chunks.push(chunk);
  return { hashes: Buffer.concat(chunks), models: await session.query('select sha256 from models order by 1') };
}

export function countPictures({ hashes }: NamedFiles): number {
  return hashes.length / HASH_BYTES;
}

/** Adds pictures and models. Returns how many files were added, and how many the data folder does not have. */
export async function addNamedFiles(
  archive: ArchiveWriter,
  dataDir: string,
  named: NamedFiles,
  onPicture: (pictures: number) => void,
): Promise<{ files: number; missing: number }> {
  let [files, missing] = [0, 0];
  for (let at = 0; at < named.hashes.length; at += HASH_BYTES) {
    for (const file of imageFiles(named.hashes.toString('latin1', at, at + HASH_BYTES - 1))) {
      const content = await readIfThere(join(dataDir, file));
      if (content === null) missing++;
      else await archive.add(`data/${file}`, content);
      if (content !== null) files++;
    }
    onPicture(at / HASH_BYTES + 1);
  }
  for (const model of named.models) {
    const isThere = await addLarge(archive, modelPath('', model), dataDir);
    if (isThere) files++;
    else missing++;
  }
  return { files, missing };
}

async function addLarge(archive: ArchiveWriter, file: string, dataDir: string): Promise<boolean> {
  const path = join(dataDir, file);
  const info = await stat(path).catch(() => null);
  if (info === null) return false;
  await archive.addStream(`data/${file}`, info.size, createReadStream(path));
  return true;
}

async function readIfThere(path: string): Promise<Buffer | null> {
  return await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
