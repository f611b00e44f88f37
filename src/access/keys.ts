import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmod, link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Sql } from '../db/client.ts';

const SECRET_BYTES = 32;
const ID_BYTES = 12;
const KEY_ID = /^mk_[A-Za-z0-9_-]{16}$/;
const SECRET = /^mks_[A-Za-z0-9_-]{43}$/;
/** How long a looked-up key is believed: a revocation takes effect everywhere within this time. */
const BELIEVED_MS = 1000;
/** Unknown ids are remembered too, so that repeating one costs no SQL; the map is emptied when it grows to this. */
const MAX_REMEMBERED = 10_000;

/** Issues a key. The secret (256 random bits) is returned once and never stored. */
export async function issueKey(sql: Sql, pepper: Buffer, label: string): Promise<{ id: string; secret: string }> {
  const id = `mk_${randomBytes(ID_BYTES).toString('base64url')}`;
  const secret = `mks_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  await sql.query('insert into api_keys (id, secret_hash, label) values ($1, $2, $3)', [
    id,
    hashOf(pepper, secret),
    label,
  ]);
  return { id, secret };
}

/** Tells whether a key id and secret belong together and are not revoked. */
export type KeyRing = { accepts(id: string, secret: string): Promise<boolean> };

/** The keys of a database as a process sees them: looked up at most once a second each. */
export function openKeyRing(sql: Sql, pepper: Buffer, clock: () => number): KeyRing {
  const remembered = new Map<string, { hash: Buffer; valid: boolean; untilMs: number }>();
  // An unknown id is compared against this, so that it takes as long as a wrong secret.
  const nobody = randomBytes(SECRET_BYTES);

  async function look(id: string) {
    const known = remembered.get(id);
    if (known !== undefined && known.untilMs > clock()) return known;
    const [row] = await sql.prepared<{ secret_hash: Buffer }>(
      'api_key',
      'select secret_hash from api_keys where id = $1 and revoked_at is null',
      [id],
    );
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const entry = { hash: row?.secret_hash ?? nobody, valid: row !== undefined, untilMs: clock() + BELIEVED_MS };
    remembered.set(id, entry);
    return entry;
  }

  return {
    async accepts(id, secret) {
      if (!KEY_ID.test(id) || !SECRET.test(secret)) return false;
      const { hash, valid } = await look(id);
      return timingSafeEqual(hashOf(pepper, secret), hash) && valid;
    },
  };
}

function hashOf(pepper: Buffer, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}

/**
 * The installation's pepper: 32 random bytes kept in a file that only its owner reads, made on first use. Processes
 * that make it at the same moment agree: the first link wins.
 */
export async function loadPepper(path: string): Promise<Buffer> {
  const existing = await readFile(path).catch(() => null);
  if (existing !== null) return existing;
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, randomBytes(32), { mode: 0o600 });
  await chmod(draft, 0o600);
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return readFile(path);
}
