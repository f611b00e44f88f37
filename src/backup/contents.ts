import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { type ArchiveMember, contentOf } from './archive.ts';
import { UnusableBackup } from './backup-error.ts';

/** What is in a backup, in this order: `about.json`, secrets, settings, tables, pictures, models, `manifest.json`. */

export const ABOUT = 'about.json';
export const MANIFEST = 'manifest.json';
const MOST_JSON_BYTES = 16 * 2 ** 20;

const FORMAT = 'mintmark backup 1';
const count = Type.Integer({ minimum: 0 });
const name = Type.String({ pattern: '^[a-z_][a-z0-9_]*$' });
/** Tables of prices that an earlier version of the model published have the name of their schema before their own. */
const TABLE = '(?:prices_v[0-9_]+\\.)?[a-z_][a-z0-9_]*';
const tableName = Type.String({ pattern: `^${TABLE}$` });

const about = Type.Object({
  format: Type.Literal(FORMAT),
  /** Version of the program. */
  program: Type.String(),
  postgresql: Type.String(),
  madeAt: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), sha256: Type.String() })),
  /** With the columns that are stored: generated ones are computed again. */
  tables: Type.Array(Type.Object({ name: tableName, columns: Type.Array(name) })),
  sequences: Type.Array(Type.Object({ name, value: count, isCalled: Type.Boolean() })),
});

const manifest = Type.Object({
  tables: Type.Array(Type.Object({ name: tableName, rows: count, hash: Type.String() })),
  files: count,
  /** Files that the database names and the data folder does not have. */
  missing: count,
});

/** What a restore has to know before the first row. */
export type About = Static<typeof about>;
/** What a backup turned out to have. */
export type Manifest = Static<typeof manifest>;

export function aboutBackup(of: Omit<About, 'format'>): About {
  return { format: FORMAT, ...of };
}

/** The first member of a backup. Throws UnusableBackup. */
export async function readAbout(member: ArchiveMember | undefined): Promise<About> {
  if (member?.name !== ABOUT) throw new UnusableBackup('it does not begin as a backup of Mintmark does');
  return await readJson(about, member);
}

/** The last member of a backup. Throws UnusableBackup. */
export async function readManifest(member: ArchiveMember): Promise<Manifest> {
  return await readJson(manifest, member);
}

async function readJson<Schema extends TSchema>(schema: Schema, member: ArchiveMember): Promise<Static<Schema>> {
  const text = (await contentOf(member, MOST_JSON_BYTES)).toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UnusableBackup(`${member.name} is not JSON`, { cause: error });
  }
  if (!Check(schema, value)) throw new UnusableBackup(`${member.name} is not of this version: use a newer one`);
  return value as Static<Schema>;
}

/** The name of a piece of a table; pieces are numbered from 1. */
export function pieceName(table: string, piece: number): string {
  return `tables/${table}/${String(piece).padStart(6, '0')}.copy.gz`;
}

const TABLE_OF_PIECE = new RegExp(`^tables/(${TABLE})/\\d+\\.copy\\.gz$`);

/** The table that a member is a piece of; null for others. */
export function tableOfPiece(member: string): string | null {
  return TABLE_OF_PIECE.exec(member)?.[1] ?? null;
}
