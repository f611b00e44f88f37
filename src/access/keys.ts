import { createHmac, type Hmac, randomBytes } from 'node:crypto';
import type { Db, Sql } from '../db/client.ts';

const SECRET_BYTES = 32;
const ID_BYTES = 12;
const CHANNEL = 'keys';
/** How often keys are read again should a notification be lost: a revocation takes effect everywhere within this. */
const REREAD_MS = 1000;

/** A key as an operator sees it; the secret is shown once, when it is made. */
type KeyRow = {
  id: string;
  label: string;
  created_at: Date;
  revoked_at: Date | null;
  previous_until: Date | null;
};

/** Issues a key. The secret (256 random bits) is returned once; only its keyed hash is stored. */
export async function issueKey(sql: Sql, pepper: Buffer, label: string): Promise<{ id: string; secret: string }> {
  const id = `mk_${randomBytes(ID_BYTES).toString('base64url')}`;
  const secret = newSecret();
  await sql.query('insert into api_keys (id, secret_hash, label) values ($1, $2, $3)', [
    id,
    hmacOf(pepper, secret).digest(),
    label,
  ]);
  await changed(sql);
  return { id, secret };
}

/** Gives a key a new secret; the old one stays valid for `overlapHours`. Null when there is no such live key. */
export async function rotateKey(sql: Sql, pepper: Buffer, id: string, overlapHours: number): Promise<string | null> {
  const secret = newSecret();
  const rows = await sql.query(
    `update api_keys set previous_hash = secret_hash, previous_until = now() + make_interval(hours => $3), secret_hash = $2
     where id = $1 and revoked_at is null returning id`,
    [id, hmacOf(pepper, secret).digest(), overlapHours],
  );
  await changed(sql);
  return rows.length === 1 ? secret : null;
}

/** Revokes a key; false when there is no such live key. Takes effect everywhere within a second. */
export async function revokeKey(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql.query(
    'update api_keys set revoked_at = now() where id = $1 and revoked_at is null returning id',
    [id],
  );
  await changed(sql);
  return rows.length === 1;
}

export async function listKeys(sql: Sql): Promise<KeyRow[]> {
  return sql.query<KeyRow>(
    'select id, label, created_at, revoked_at, previous_until from api_keys order by created_at, id',
  );
}

/** True when a key id and secret belong together. In memory: a wrong key costs no SQL. */
export type KeyRing = {
  accepts(id: string, secret: string): boolean;
  close(): void;
};

/** A secret that opens a key: the current one, or the previous one until it ends. */
type LiveSecret = { id: string; untilMs: number };

/** The live keys of a database, kept in step with it. `clock` is milliseconds since the epoch. */
export async function openKeyRing(db: Db, pepper: Buffer, clock: () => number): Promise<KeyRing> {
  // By the keyed hash, which nobody outside can steer: how long a lookup takes says nothing of the keys, and an unknown id,
  // a known one and a revoked one cost the same. Looked up by id, a known one took a quarter of a microsecond longer.
  let secrets = new Map<string, LiveSecret>();
  // Hashes of accepted secrets, for a second at most: an HMAC costs a fifth of a cached read. Wrong secrets are not here,
  // so each of them costs one, and only a right guess finds anything.
  const hashes = new Map<string, string>();
  let seen = '';

  async function reread(): Promise<void> {
    hashes.clear();
    const [version] = await db.prepared<{ version: string }>(
      'keys_version',
      'select version::text from api_keys_version',
    );
    if (version!.version === seen) return;
    const rows = await db.query<{
      id: string;
      secret_hash: Buffer;
      previous_hash: Buffer | null;
      until: number | null;
    }>(
      `select id, secret_hash, previous_hash, (extract(epoch from previous_until) * 1000)::float8 as until
       from api_keys where revoked_at is null`,
    );
    seen = version!.version;
    secrets = new Map();
    for (const { id, secret_hash, previous_hash, until } of rows) {
      if (previous_hash !== null) secrets.set(previous_hash.toString('binary'), { id, untilMs: until ?? 0 });
      secrets.set(secret_hash.toString('binary'), { id, untilMs: Number.POSITIVE_INFINITY });
    }
  }

  await reread();
  await db.listen(CHANNEL, () => void reread().catch(() => {}));
  const timer = setInterval(() => void reread().catch(() => {}), REREAD_MS);
  timer.unref();

  return {
    accepts(id, secret) {
      const hash = hashes.get(secret) ?? hmacOf(pepper, secret).digest('binary');
      const found = secrets.get(hash);
      if (found === undefined || found.id !== id || clock() >= found.untilMs) return false;
      hashes.set(secret, hash);
      return true;
    },
    close: () => clearInterval(timer),
  };
}

function newSecret(): string {
  return `mks_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

function hmacOf(pepper: Buffer, secret: string): Hmac {
  return createHmac('sha256', pepper).update(secret);
}

async function changed(sql: Sql): Promise<void> {
  await sql.query('update api_keys_version set version = version + 1');
  await sql.query(`select pg_notify('${CHANNEL}', '')`);
}
