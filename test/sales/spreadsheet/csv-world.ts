import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anItem } from '../../support/builders.ts';
import { freshDatabase } from '../../support/database/database.ts';
import { folderOfRun } from '../../support/database/run-folder.ts';
import { databaseUrlOf, runProgram } from '../../support/program.ts';

/** A database with one card, and the commands on it. */
export async function openCsvWorld() {
  const { db, connection, close } = await freshDatabase();
  const folder = folderOfRun();
  let files = 0;
  const settings = { DATABASE_URL: databaseUrlOf(connection), MINTMARK_DATA: join(folder, 'data') };
  const run = (...words: string[]) => runProgram(words, settings);
  const importSales = (format: string, path: string, ...options: string[]) =>
    run('import', 'sales', format, path, ...options);
  return {
    ...{ db, close, run, importSales, item: await anItem(db, {}) },
    /** Writes a file as a person has it; returns its path. */
    file(content: string | Buffer): string {
      const path = join(folder, `people-${files++}.csv`);
      writeFileSync(path, content);
      return path;
    },
    importCsv: (path: string, ...options: string[]) => importSales('csv', path, ...options),
  };
}
