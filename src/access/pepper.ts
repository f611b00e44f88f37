import { createHmac } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Sql } from '../db/client.ts';
import { ConfigError } from '../lib/config-error.ts';
import type { Fingerprint } from '../lib/fingerprint.ts';
import { makeSecret, readSecret } from './secret-file.ts';

const PEPPER_BYTES = 32;

/** Where an installation keeps what its key hashes are made with. */
export function pepperPath({ dataDir }: { dataDir: string }): string {
  return join(dataDir, 'key-pepper');
}

/**
 * What secrets are hashed under: 32 random bytes in a file that only its owner reads, made on first use. Processes
 * that make it at the same moment agree: the first link wins. Several machines share one by copying the file.
 * @throws ConfigError when the file cannot be the one that the database's hashes were made with.
 */
export async function loadPepper(sql: Sql, path: string): Promise<Buffer> {
  const problem = await pepperProblem(sql, path);
  if (problem !== null) throw new ConfigError(problem);
  const pepper = (await readSecret(path)) ?? (await makeSecret(path, PEPPER_BYTES));
  await sql.query('insert into key_pepper (fingerprint) values ($1) on conflict do nothing', [fingerprintOf(pepper)]);
  // Another process may have noted the pepper of another folder at the same moment.
  const lost = await pepperProblem(sql, path);
  if (lost !== null) throw new ConfigError(lost);
  return pepper;
}

/** Why the pepper of `path` cannot be used with this database, in one sentence; null when it can, or can be made. */
export async function pepperProblem(sql: Sql, path: string): Promise<string | null> {
  // The database first: a process that shares this folder notes its pepper only after the file is there.
  const [row] = await sql.query<{ fingerprint: Buffer | null; keys: boolean }>(
    `select (select fingerprint from key_pepper) as fingerprint,
       exists (select from api_keys where revoked_at is null) as keys`,
  );
  const { fingerprint, keys } = row!;
  const pepper = await readSecret(path);
  if (pepper !== null && pepper.length < PEPPER_BYTES)
    return `${path} has ${pepper.length} bytes and ${PEPPER_BYTES} are needed: restore the file from a backup.`;
  if (pepper === null)
    return fingerprint === null && !keys
      ? null
      : `The keys of this database were made with a key-pepper that is not in ${dirname(path)}: copy the file key-pepper from the data folder they were made in.`;
  return fingerprint === null || fingerprint.equals(fingerprintOf(pepper))
    ? null
    : `${path} is not the key-pepper that the keys of this database were made with: copy the file key-pepper from the data folder they were made in, or use the database that belongs to this folder.`;
}

/** Whether the hashes of this database were made with a pepper; true for any where no process has noted one yet. */
export async function isPepperOf(sql: Sql, pepper: Buffer): Promise<boolean> {
  const [row] = await sql.query<{ fingerprint: Buffer }>('select fingerprint from key_pepper');
  return row === undefined || row.fingerprint.equals(fingerprintOf(pepper));
}

/** Recognizes a text again without keeping it: HMAC-SHA256 under the pepper. Texts of another use begin otherwise. */
export function fingerprintWith(pepper: Buffer): Fingerprint {
  return (text) => createHmac('sha256', pepper).update(text).digest();
}

/** Says which pepper it is without revealing it. */
function fingerprintOf(pepper: Buffer): Buffer {
  return fingerprintWith(pepper)('key-pepper');
}
