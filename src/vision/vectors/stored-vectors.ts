import { createHash } from 'node:crypto';
import { GAMES, type Game } from '../../catalog/games.ts';
import { VECTOR_LENGTH } from '../../catalog/tags/zero-shot.ts';
import type { Db, Session, Sql } from '../../db/client.ts';
import { readBinaryRows } from '../../db/copy/binary-rows.ts';
import { lockTransaction } from '../../db/locks.ts';

/** The payload is the model's name, when its vectors change. */
export const VECTORS_CHANNEL = 'vectors';

const VECTOR_BYTES = 4 * VECTOR_LENGTH;
const MODEL_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export type ItemVector = {
  itemId: string;
  /** Of the picture that it was made from; null when it was made elsewhere, of no picture of ours. */
  imageHash: string | null;
  /** 512 values; kept with length 1. */
  vector: Float32Array;
};

/** A vector by its version: a number that each write of a vector takes anew. */
export type StoredVector = { version: number; itemId: string; vector: Float32Array };

/** The same direction with length 1, as float32. Throws RangeError for another length than 512, no length, or NaN. */
export function unitVector(values: ArrayLike<number>): Float32Array {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!;
  const norm = Math.sqrt(sum);
  if (values.length !== VECTOR_LENGTH || !(norm > 0 && norm < Infinity))
    throw new RangeError(`a vector has ${VECTOR_LENGTH} finite values that are not all 0`);
  return Float32Array.from(values, (value) => value / norm);
}

/** Puts vectors in the place of those that the items have of this model, and notifies the readers. */
export async function writeVectors(db: Db, model: string, rows: readonly ItemVector[]): Promise<void> {
  if (rows.length === 0) return;
  const vectors = rows.map(({ vector }) => unitVector(vector));
  await changeVectors(db, model, (session) =>
    session.query(
      `insert into item_vectors (model, item_id, image_hash, vector, digest)
       select $1, * from unnest($2::uuid[], $3::text[], $4::bytea[], $5::bigint[])
       on conflict (item_id, model) do update set image_hash = excluded.image_hash, vector = excluded.vector,
         digest = excluded.digest, version = excluded.version, updated_at = now()
       returning item_id`,
      [
        model,
        rows.map((row) => row.itemId),
        rows.map((row) => row.imageHash),
        vectors.map(bytesOf),
        vectors.map((vector) => String(digestOf(vector))),
      ],
    ),
  );
}

/**
 * Forgets the vectors of items, or of all (null), and returns how many there were; the rows stay, without one, so that
 * every process hears of it.
 */
export async function dropVectors(db: Db, model: string, itemIds: readonly string[] | null): Promise<number> {
  if (itemIds?.length === 0) return 0;
  return changeVectors(db, model, (session) =>
    session.query(
      `update item_vectors set vector = null, digest = null, image_hash = null, version = nextval('vector_versions'),
         updated_at = now()
       where model = $1 and ($2::uuid[] is null or item_id = any($2::uuid[])) and digest is not null
       returning item_id`,
      [model, itemIds],
    ),
  );
}

/** Gives items the vector that another item with the same picture has; returns how many. */
export async function copyVectors(db: Db, model: string): Promise<number> {
  const copy = `insert into item_vectors (model, item_id, image_hash, vector, digest)
    select distinct on (p.item_id) $1, p.item_id, p.hash, same.vector, same.digest
    from item_images p
      join items i on i.id = p.item_id and i.removed_at is null
      join item_vectors same on same.model = $1 and same.image_hash = p.hash and same.digest is not null
      left join item_vectors own on own.model = $1 and own.item_id = p.item_id
    where own.digest is null or own.image_hash is distinct from p.hash
    order by p.item_id, same.item_id
    on conflict (item_id, model) do update set image_hash = excluded.image_hash, vector = excluded.vector,
      digest = excluded.digest, version = excluded.version, updated_at = now()
    returning item_id`;
  return changeVectors(db, model, (session) => session.query(copy, [model]));
}

/** The work returns the rows that it changed; their number is returned. */
async function changeVectors(
  db: Db,
  model: string,
  work: (session: Session) => Promise<readonly object[]>,
): Promise<number> {
  checkName(model);
  return db.transaction(async (session) => {
    // Versions are committed in their order.
    await lockTransaction(session, 'vectors');
    const { length } = await work(session);
    if (length > 0) await session.query('select pg_notify($1, $2)', [VECTORS_CHANNEL, model]);
    return length;
  });
}

/** How many vectors there are, by model. */
export async function countVectors(db: Db): Promise<Map<string, number>> {
  const rows = await db.query<{ model: string; vectors: number }>(
    'select model, count(digest) as vectors from item_vectors group by model having count(digest) > 0 order by model',
  );
  return new Map(rows.map(({ model, vectors }) => [model, vectors]));
}

/** Whether there is any vector of a model. */
export async function hasVectors(sql: Sql, model: string): Promise<boolean> {
  const [row] = await sql.query<{ found: boolean }>(
    'select exists (select from item_vectors where model = $1 and digest is not null) as found',
    [model],
  );
  return row!.found;
}

/** Some vectors of a model, always the same ones while they do not change. */
export async function readSample(
  sql: Sql,
  model: string,
  count: number,
): Promise<{ itemId: string; vector: Float32Array }[]> {
  const rows = await sql.query<{ itemId: string; vector: Buffer }>(
    `select item_id as "itemId", vector from item_vectors where (item_id, model) in
       (select item_id, model from item_vectors where model = $1 and digest is not null order by digest limit $2)`,
    [model, count],
  );
  return rows.map(({ itemId, vector }) => ({ itemId, vector: vectorAt(vector, 0) }));
}

/** The vectors of these versions that have not been replaced or dropped since, in any order. */
export async function readVectors(sql: Sql, model: string, versions: readonly number[]): Promise<StoredVector[]> {
  if (versions.length === 0) return [];
  const rows = await sql.prepared<{ version: number; itemId: string; vector: Buffer }>(
    'vectors_of',
    `select version, item_id as "itemId", vector from item_vectors
     where model = $1 and version = any($2::bigint[]) and vector is not null`,
    [model, versions],
  );
  return rows.map(({ vector, ...row }) => ({ ...row, vector: vectorAt(vector, 0) }));
}

/** The versions of a model's vectors, rising. */
export async function readVersions(sql: Sql, model: string): Promise<number[]> {
  const rows = await sql.query<{ version: number }>(
    'select version from item_vectors where model = $1 and digest is not null order by version',
    [model],
  );
  return rows.map(({ version }) => version);
}

/**
 * Calls back with each change of a model after a version, in their order; `vector` is null for a vector that was dropped,
 * and is reused for the next one. By COPY in its binary form, which takes a tenth of the CPU of text; COPY takes no
 * parameters.
 */
export async function readChanges(
  session: Session,
  model: string,
  afterVersion: number,
  onChange: (version: number, game: Game, vector: Float32Array | null) => void,
): Promise<void> {
  checkName(model);
  const select = `select array_position(array['${GAMES.join("','")}'], i.game), v.version, v.vector
    from item_vectors v join items i on i.id = v.item_id
    where v.model = '${model}' and v.version > ${afterVersion} order by v.version`;
  const vector = new Float32Array(VECTOR_LENGTH);
  const bytes = bytesOf(vector);
  await readBinaryRows(session.copyOut(`copy (${select}) to stdout (format binary)`), 3, (buffer, starts) => {
    const [game, version, value] = starts as unknown as [number, number, number];
    const isGone = buffer.readInt32BE(value - 4) < 0;
    if (!isGone) buffer.copy(bytes, 0, value, value + VECTOR_BYTES);
    onChange(Number(buffer.readBigInt64BE(version)), GAMES[buffer.readInt32BE(game) - 1]!, isGone ? null : vector);
  });
}

function checkName(model: string): void {
  if (!MODEL_NAME.test(model)) throw new RangeError(`"${model}" is not a name of a model`);
}

function vectorAt({ buffer, byteOffset }: Buffer, at: number): Float32Array {
  // A copy: float32 arrays begin at multiples of four.
  return new Float32Array(buffer.slice(byteOffset + at, byteOffset + at + VECTOR_BYTES));
}

/** The values as they are kept: float32, little-endian. */
export function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** What distinguishes vectors without reading them. */
function digestOf(vector: Float32Array): bigint {
  return createHash('sha256').update(bytesOf(vector)).digest().readBigInt64BE();
}
