import { createReadStream, fstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { pino } from 'pino';
import { type BackupReport, runBackup } from '../backup/run-backup.ts';
import { verifyBackup } from '../backup/verify-backup.ts';
import { readSettings } from '../config.ts';
import { counted } from '../lib/counted.ts';
import { openProgress } from './progress.ts';
import { watchReading } from './reading.ts';
import { CommandError, EXIT, firstSignal, withWorld } from './world.ts';

type Options = { json?: boolean };

const STDOUT = 1;

/** `mintmark backup <folder|->` */
export async function backupCommand(to: string, { json }: Options): Promise<void> {
  const isStream = to === '-';
  if (isStream) checkStream();
  const { config, settings } = readSettings();
  const stopping = new AbortController();
  void firstSignal().then(() => stopping.abort());
  const startedMs = Date.now();
  const report = await withWorld(async ({ db }) => {
    const lines = {
      tables: openProgress('byte'),
      pictures: openProgress('picture'),
    };
    try {
      return await runBackup({
        db,
        dataDir: config.dataDir,
        settings: settings.list,
        clock: Date.now,
        to: isStream ? process.stdout : resolve(to),
        signal: stopping.signal,
        onProgress: ({ part, name, done, total }) => lines[part].update(`backing up ${name}`, done, total),
      });
    } finally {
      for (const line of Object.values(lines)) line.end();
    }
  }, config);
  const seconds = Math.round((Date.now() - startedMs) / 100) / 10;
  // Standard output is the backup itself.
  const print = isStream ? console.error : console.log;
  print(json ? JSON.stringify({ ...report, seconds }) : textOf(report, seconds));
  if (report.missing > 0)
    throw new CommandError(
      `${counted(report.missing, 'file')} of pictures or models ${report.missing === 1 ? 'is' : 'are'} not in ${config.dataDir}: the backup has everything else. Make it on the machine that has them.`,
      EXIT.incomplete,
    );
}

/** `mintmark backup verify <file>` */
export async function verifyCommand(file: string, { json }: Options): Promise<void> {
  const log = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
  const reading = await watchReading(file, 'verifying');
  const report = await verifyBackup(reading.bytes(createReadStream(file)), {
    log,
    onProgress: reading.onProgress,
  }).finally(reading.end);
  const { tables, rows, files, madeAt, program } = report;
  console.log(
    json
      ? JSON.stringify(report)
      : `verified: ${counted(tables, 'table')} with ${counted(rows, 'row')} are as they were backed up, ${counted(files, 'file')}; made ${madeAt} by Mintmark ${program}`,
  );
}

function checkStream(): void {
  if (process.stdout.isTTY)
    throw new CommandError(
      'A backup is binary and contains secrets: send it to a file or a program, mintmark backup - > mintmark.tar',
      EXIT.usage,
    );
  const output = fstatSync(STDOUT);
  if (output.isFile() && (output.mode & 0o077) !== 0)
    console.error('warning: other users may read the file, which contains secrets: chmod 600, or umask 077 before');
}

function textOf({ place, tables, rows, files, bytes }: BackupReport, seconds: number): string {
  const size = bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return `${place}: ${counted(tables, 'table')}, ${counted(rows, 'row')}, ${counted(files, 'file')}, ${size} in ${seconds} s`;
}
