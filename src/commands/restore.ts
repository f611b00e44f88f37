import { createReadStream } from 'node:fs';
import { checkArchive, restore } from '../backup/restore.ts';
import { RESTORED_SETTINGS } from '../backup/restore-files.ts';
import { counted } from '../lib/counted.ts';
import { watchReading } from './reading.ts';
import { withWorld } from './world.ts';

/** `mintmark restore <file|->`: a file is read twice, since a damaged one is to be found before the work. */
export async function restoreCommand(file: string, { json }: { json?: boolean }): Promise<void> {
  const isStream = file === '-';
  const reading = await watchReading(file, 'restoring', 2);
  if (!isStream) await checkArchive(reading.bytes(createReadStream(file)), reading.onProgress);
  const { report, dataDir } = await withWorld(async ({ config: { dataDir }, db }) => {
    const from = reading.bytes(isStream ? process.stdin : createReadStream(file));
    const { onProgress } = reading;
    return { report: await db.session((session) => restore(session, from, { dataDir, onProgress })), dataDir };
  }).finally(reading.end);
  const { tables, rows, files, madeAt, program } = report;
  console.log(
    json
      ? JSON.stringify(report)
      : `restored: ${counted(tables, 'table')} with ${counted(rows, 'row')} and ${counted(files, 'file')}, as of ${madeAt}, made by Mintmark ${program}
Its settings are in ${dataDir}/${RESTORED_SETTINGS}, and not in force. Next: mintmark doctor`,
  );
}
