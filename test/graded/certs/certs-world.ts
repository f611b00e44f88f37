import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Db } from '../../../src/db/client.ts';
import { CERT_FORMATS } from '../../../src/graded/certs/cert-formats.ts';
import { type CertsReport, importCerts } from '../../../src/graded/certs/import-certs.ts';
import { anItem, aSet } from '../../support/builders.ts';

/** A catalog of three cards, and a folder for files of certs. */
export async function certsWorld(db: Db) {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-certs-'));
  const base = await aSet(db, { name: 'Base Set', code: 'base1' });
  const charizard = await anItem(db, {
    set: base,
    number: '4',
    name: 'Charizard',
    year: 1999,
    upstreamItemId: 'inv-4',
  });
  const shadowless = await anItem(db, {
    set: base,
    number: '4',
    name: 'Charizard',
    year: 1999,
    variation: 'Shadowless',
  });
  const mewtwo = await anItem(db, { set: base, number: '10', name: 'Mewtwo', year: 1999 });
  const href = `/card/pokemon/${base.segment}/10-mewtwo-${mewtwo.slice(0, 8)}`;
  return { folder, charizard, shadowless, mewtwo, href, remove: () => rmSync(folder, { recursive: true }) };
}

/** Writes a file of these lines into a folder. */
export function writeLines(folder: string, name: string, lines: readonly unknown[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  return path;
}

type Outcome = { report: CertsReport; problems: string[] };

/** Imports files; their scans go into a data folder next to them. */
export async function importInto(db: Db, folder: string, formatName: string, paths: string[]): Promise<Outcome> {
  const problems: string[] = [];
  const report = await importCerts(db, {
    format: CERT_FORMATS.find(({ name }) => name === formatName)!,
    paths,
    dataDir: join(folder, 'data'),
    onProblem: ({ line, message }) => problems.push(`${line}: ${message}`),
  });
  const { rows, added, changed, unchanged, repeated, rejected } = report;
  expect(rows).toBe(added + changed + unchanged + repeated + rejected);
  return { report, problems };
}

/** The rows of certs, by their keys. */
export async function storedCerts(db: Db, keys: string[]) {
  return await db.query(
    `select company, cert_number, item_id, grade_key, grade_label, game, state, origin from certs
     where cert_key = any($1) order by cert_key`,
    [keys],
  );
}
