import { readJson, UnreadableFile } from '../../catalog/formats/files.ts';
import { readTable } from '../../catalog/formats/table.ts';
import { objects } from '../../catalog/formats/text.ts';
import { foldSlug } from '../../catalog/slug.ts';
import { CERT_FIELDS, type CertFields, type CertRow, parseCertRow } from './cert-row.ts';

/** A row of a file, or why it cannot be used. Lines count from 1 (records of a JSON array too). */
export type CertEntry = { line: number } & ({ row: CertRow } | { row: null; problem: string });

/** A kind of file of certs that can be imported. */
export type CertFormat = {
  /** The word an operator types: `mintmark import certs <name> <path…>`. */
  name: string;
  about: string;
  /** How names of its files end, where a folder is given. */
  extensions: readonly string[];
  /** Reads one file. Throws UnreadableFile, before the first row, when it is not a file of this format. */
  read(path: string): AsyncIterable<CertEntry>;
};

const ownCerts: CertFormat = {
  name: 'mintmark',
  about: 'own CSV or NDJSON, described in docs/guide/import-certs.md',
  extensions: ['.csv', '.ndjson', '.jsonl'],
  async *read(path) {
    for await (const { line, fields, problem } of readTable(path, CERT_FIELDS, ['cert']))
      yield fields === null ? { line, row: null, problem } : entryOf(line, fields);
  },
};

/** Slabs of a vault's catalog: what is on the label is one text, the grade another. Not sales. */
const vaultedSlabs: CertFormat = {
  name: 'vaulted-slabs',
  about: 'slabs in a vault: a JSON array of {itemName, gradingCompany, grade, gradingID, category, frontImage}',
  extensions: ['.json'],
  async *read(path) {
    const slabs = objects(await readJson(path));
    if (slabs.length === 0 || !('gradingID' in slabs[0]! && 'gradingCompany' in slabs[0]))
      throw new UnreadableFile(
        `${path}: not a JSON array of vaulted slabs (itemName, gradingCompany, grade, gradingID)`,
      );
    for (const [index, slab] of slabs.entries()) {
      const { gradingID, gradingCompany, itemName, grade, category, year, frontImage } = slab;
      const game = gameOf(String(category ?? ''));
      const label = { label: itemName, grade, year, game, imageFront: frontImage };
      yield entryOf(index + 1, { cert: gradingID, company: gradingCompany, ...label });
    }
  },
};

export const CERT_FORMATS: readonly CertFormat[] = [ownCerts, vaultedSlabs];

function entryOf(line: number, fields: CertFields): CertEntry {
  const row = parseCertRow(fields);
  return typeof row === 'string' ? { line, row: null, problem: row } : { line, row };
}

/** The game of a vault's category; null where it is a class of games. */
function gameOf(category: string): string | null {
  if (category === 'Collectible Card Games') return null;
  const slug = foldSlug(category);
  return ['basketball', 'baseball', 'football', 'soccer', 'hockey'].includes(slug) ? 'sports' : slug || null;
}
