import packageJson from '../../package.json' with { type: 'json' };
import type { Session } from '../db/client.ts';
import { readSeeds, recordKeyPath } from '../receipts/record-keys.ts';
import type { Setting } from '../settings.ts';
import type { ArchiveWriter } from './archive.ts';
import { beginRead } from './begin-read.ts';
import { ABOUT, aboutBackup, MANIFEST, type Manifest } from './contents.ts';
import { addNamedFiles, addSecrets, addSettings, countPictures, readNamedFiles } from './kept-files.ts';
import { writeTable } from './tables.ts';

/** What a backup is made of. */
export type BackupSource = { dataDir: string; settings: readonly Setting[]; clock: () => number };

/** How far a backup is. Of a table, `done` and `total` are bytes on disk of it and those before, of all; an estimate. */
export type BackupProgress = { part: 'tables' | 'pictures'; name: string; done: number; total: number };

/** Writes everything into a backup, as it is at one moment. */
export async function fillArchive(
  archive: ArchiveWriter,
  session: Session,
  { dataDir, settings, clock }: BackupSource,
  onProgress: (progress: BackupProgress) => void,
): Promise<Manifest> {
  const path = recordKeyPath({ dataDir });
  const seedsBefore = await readSeeds(path);
  const { migrations, tables, sequences } = await beginRead(session);
  const seeds = [...(await readSeeds(path)), ...seedsBefore];
  const madeAt = new Date(clock()).toISOString();
  const [server] = await session.query<{ version: string }>(`select current_setting('server_version') as version`);
  const about = aboutBackup({
    program: packageJson.version,
    postgresql: server!.version,
    madeAt,
    migrations,
    tables: tables.map(({ name, columns }) => ({ name, columns })),
    sequences,
  });
  await archive.add(ABOUT, jsonOf(about));
  await addSecrets(archive, session, dataDir, seeds);
  await addSettings(archive, settings);

  const manifest: Manifest = { tables: [], files: 0, missing: 0 };
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  let before = 0;
  for (const table of tables) {
    let read = 0;
    const summary = await writeTable(archive, session, table, (bytes) => {
      read += bytes;
      onProgress({ part: 'tables', name: table.name, done: before + Math.min(read, table.bytes), total });
    });
    before += table.bytes;
    manifest.tables.push({ name: table.name, ...summary });
  }
  const named = await readNamedFiles(session);
  await session.query('commit');
  const pictures = countPictures(named);
  const { files, missing } = await addNamedFiles(archive, dataDir, named, (done) => {
    onProgress({ part: 'pictures', name: 'pictures', done, total: pictures });
  });
  const whole = { ...manifest, files, missing };
  await archive.add(MANIFEST, jsonOf(whole));
  return whole;
}

function jsonOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
}
