import type { KeyObject } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeSecret, readSecret } from '../access/secret-file.ts';
import type { Db, Session, Sql } from '../db/client.ts';
import { withLock } from '../db/locks.ts';
import { syncFolder } from '../files.ts';
import { ConfigError } from '../lib/config-error.ts';
import type { KeyLine } from '../record/day-line.ts';
import { unsignedText } from '../record/receipt.ts';
import {
  checkpointText,
  formatKey,
  type NoteKey,
  privateKeyOf,
  publicKeyOf,
  signatureOf,
} from '../record/signed-note.ts';
import { headOf, readChain } from './record-chain.ts';

const SEED_BYTES = 32;

/** Where an installation keeps the key that signs its record: next to the pepper. */
export function recordKeyPath({ dataDir }: { dataDir: string }): string {
  return join(dataDir, 'record-key');
}

/** The name of the record, and of its keys: the address of its head without the scheme. */
export function originOf(baseUrl: string): string {
  return `${baseUrl.replace(/^https?:\/\//, '')}/v1/record`;
}

/** The key that signs the record now. */
export type Signer = {
  key(): KeyObject;
  /** Reads the key again: another process has rotated it. */
  reload(): Promise<void>;
};

/** The signer of a data folder; its key is made at the first start. Throws ConfigError when it is not that of the database. */
export async function openSigner(sql: Sql, path: string, origin: string): Promise<Signer> {
  let key = await loadKey(sql, path, origin);
  return {
    key: () => key,
    async reload() {
      key = await loadKey(sql, path, origin);
    },
  };
}

async function loadKey(sql: Sql, path: string, origin: string): Promise<KeyObject> {
  const own = await readKey(path);
  if (own === null && (await newestKey(sql)) === null) await makeSecret(path, SEED_BYTES);
  const key = own ?? (await readKey(path));
  if (key !== null) await noteFirstKey(sql, key, origin);
  const expected = await newestKey(sql);
  if (key !== null && expected!.equals(publicKeyOf(key))) return key;
  // A rotation that was cut off after it was stored.
  const next = await readKey(nextPath(path));
  if (next === null || !expected!.equals(publicKeyOf(next)))
    throw new ConfigError(
      `${path} is not the key that signs the record of this database: copy the file record-key from the data folder it was made in.`,
    );
  await rename(nextPath(path), path);
  return next;
}

/** The seeds of signing keys in the data folder: of a rotation that is under way, and of the key in use. */
export async function readSeeds(path: string): Promise<Buffer[]> {
  // In this order: a rotation moves the first to the place of the second.
  const seeds = [await readSecret(nextPath(path)), await readSecret(path)];
  return seeds.filter((seed) => seed?.length === SEED_BYTES) as Buffer[];
}

/** Whether a seed is of the key that signs the record; true for any seed where no key was noted yet. */
export async function signsRecord(sql: Sql, seed: Buffer): Promise<boolean> {
  const key = await newestKey(sql);
  return key === null || key.equals(publicKeyOf(privateKeyOf(seed)));
}

async function newestKey(sql: Sql): Promise<Buffer | null> {
  const [row] = await sql.query<{ key: Buffer }>(
    'select public_key as key from record_keys order by number desc limit 1',
  );
  return row?.key ?? null;
}

/** Notes the key of an installation that has none. */
export async function noteFirstKey(sql: Sql, key: KeyObject, origin: string): Promise<void> {
  await sql.query('insert into record_keys (number, name, public_key) values (1, $1, $2) on conflict do nothing', [
    origin,
    publicKeyOf(key),
  ]);
}

async function readKey(path: string): Promise<KeyObject | null> {
  const seed = await readSecret(path);
  if (seed === null) return null;
  if (seed.length !== SEED_BYTES)
    throw new ConfigError(
      `${path} has ${seed.length} bytes and ${SEED_BYTES} are needed: restore the file from a backup.`,
    );
  return privateKeyOf(seed);
}

function nextPath(path: string): string {
  return `${path}.next`;
}

/** Why the key cannot be rotated, in one sentence. */
export class CannotRotate extends Error {
  override name = 'CannotRotate';
}

/**
 * Replaces the signing key: the record of the next close has a line, signed by the old key, that names the new one, and the
 * checkpoints so far keep the signatures of the old one. Returns both keys.
 */
export async function rotateKey(
  db: Db,
  path: string,
  origin: string,
): Promise<{ from: string; key: string; day: number }> {
  const old = await loadKey(db, path, origin);
  const next = (await readKey(nextPath(path))) ?? privateKeyOf(await makeSecret(nextPath(path), SEED_BYTES));
  const rotated = await db.session((session) => withLock(session, 'reprice', () => storeRotation(session, old, next)));
  await rename(nextPath(path), path);
  await syncFolder(dirname(path));
  return rotated;
}

async function storeRotation(session: Session, old: KeyObject, next: KeyObject) {
  await session.query('begin');
  const chain = await readChain(session, null);
  const last = chain.days.at(-1);
  if (last === undefined) {
    await session.query('rollback');
    throw new CannotRotate('No day has been closed: the key has signed nothing yet.');
  }
  const { name } = chain.keys.at(-1)!;
  const named = (key: KeyObject): NoteKey => ({ name, publicKey: publicKeyOf(key) });
  const line: KeyLine = { k: 'key', from: formatKey(named(old)), key: formatKey(named(next)), signature: '' };
  const unsigned = await session.query<{ day: number }>('select day from record_days where signature is null');
  for (const { day } of unsigned)
    await session.query('update record_days set signature = $2 where day = $1', [
      day,
      signatureOf(old, checkpointText(headOf(chain, day))),
    ]);
  const day = last.day + 1;
  await session.query(
    `insert into record_keys (number, name, public_key, day, signature)
     select max(number) + 1, $1, $2, $3, $4 from record_keys`,
    [name, publicKeyOf(next), day, signatureOf(old, unsignedText(line))],
  );
  await session.query(`select pg_notify('prices', '')`);
  await session.query('commit');
  return { from: line.from, key: line.key, day };
}
