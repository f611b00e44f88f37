import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Session } from '../db/client.ts';
import { ownSchema, PAST_SCHEMA } from '../db/own-schema.ts';
import { type ArchiveMember, type ArchiveWriter, contentOf } from './archive.ts';
import { UnusableBackup } from './backup-error.ts';
import { pieceName } from './contents.ts';
import { newRowHash, type RowSummary } from './row-hash.ts';

/** A table of a backup with the columns that are stored, and its size on disk. */
export type BackupTable = { name: string; columns: string[]; bytes: number };

/**
 * Tables that are not in a backup. A restore writes the first anew; events belong to runs of the job queue, which is not
 * kept either (schedules make its jobs again, clients repeat their valuations); the last is about the files of one machine.
 */
const LEFT_OUT = ['migrations', 'valuation_events', 'backups'];

/** SQL: values are written the same by every server and session, and read the same. */
export const PORTABLE = `set local datestyle = 'ISO, MDY'; set local timezone = 'UTC'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1; set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0`;

/** Of a table's text, what is compressed at a time. */
const PIECE_BYTES = 4 * 2 ** 20;
const MOST_PACKED_BYTES = PIECE_BYTES + 2 ** 20;
/** Level 1 takes a quarter of the time of level 6; files are a tenth larger. */
const LEVEL = 1;

const pack = promisify<Buffer, { level: number }, Buffer>(gzip);
const unpack = promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip);

/** The names of the tables that a backup has. */
export function backupTables(): string[] {
  return ownSchema().tables.filter((name) => !LEFT_OUT.includes(name));
}

/** The tables of a backup as the database has them, with those of prices that an earlier version of the model published. */
export function listTables(session: Session): Promise<BackupTable[]> {
  return session.query(
    `select own.name, pg_table_size(c.oid) as bytes, array_agg(a.attname::text order by a.attnum) as columns
     from (
       select name, to_regclass(name) as oid from unnest($1::text[]) name
       union all
       select n.nspname || '.' || p.relname, p.oid from pg_class p join pg_namespace n on n.oid = p.relnamespace
       where p.relkind = 'r' and n.nspname ~ '${PAST_SCHEMA}'
     ) own join pg_class c on c.oid = own.oid join pg_attribute a on a.attrelid = c.oid
     where a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.oid, own.name order by own.name collate "C"`,
    [backupTables()],
  );
}

/** Where each sequence of these tables, and of no table, is. */
export async function readSequences(session: Session) {
  const named = await session.query<{ name: string }>(
    `select c.relname::text as name from pg_class c where c.relkind = 'S'
       and (c.oid in (select to_regclass(own) from unnest($1::text[]) own)
         or exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
           and d.deptype in ('a', 'i') and d.refobjid in (select to_regclass(own) from unnest($2::text[]) own)))
     order by 1`,
    [ownSchema().sequences, backupTables()],
  );
  const sequences: { name: string; value: number; isCalled: boolean }[] = [];
  for (const { name } of named) {
    const [row] = await session.query<{ value: number; isCalled: boolean }>(
      `select last_value as value, is_called as "isCalled" from ${name}`,
    );
    sequences.push({ name, ...row! });
  }
  return sequences;
}

/** The rows of a table as lines of COPY's text format. */
export function copyOut(session: Session, { name, columns }: Pick<BackupTable, 'name' | 'columns'>): Readable {
  return session.copyOut(`copy ${name} (${columns.join(', ')}) to stdout`);
}

/** Writes the rows of a table to a backup, in pieces that are compressed while the next one is read. */
export async function writeTable(
  archive: ArchiveWriter,
  session: Session,
  table: BackupTable,
  onPiece: (bytes: number) => void,
): Promise<RowSummary> {
  const rows = newRowHash();
  let count = 0;
  let before = Promise.resolve();
  for await (const piece of inPieces(copyOut(session, table))) {
    const packing = pack(piece, { level: LEVEL });
    rows.update(piece);
    await before;
    before = packing.then((packed) => archive.add(pieceName(table.name, ++count), packed));
    before.catch(() => {});
    onPiece(piece.length);
  }
  await before;
  return rows.summary();
}

/** The text of a piece of a table. Throws UnusableBackup. */
export async function readPiece(member: ArchiveMember): Promise<Buffer> {
  const packed = await contentOf(member, MOST_PACKED_BYTES);
  return await unpack(packed, { maxOutputLength: PIECE_BYTES }).catch((error: Error) => {
    throw new UnusableBackup(`${member.name} is damaged`, { cause: error });
  });
}

async function* inPieces(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes >= PIECE_BYTES) {
      const all = Buffer.concat(chunks);
      yield all.subarray(0, PIECE_BYTES);
      const rest = all.subarray(PIECE_BYTES);
      chunks = [rest];
      bytes = rest.length;
    }
  }
  if (bytes > 0) yield Buffer.concat(chunks);
}
