import { CommanderError } from 'commander';
import { BackupFailed, NotRestorable, UnusableBackup } from '../backup/backup-error.ts';
import { UnreadableFile } from '../catalog/formats/files.ts';
import { EmbeddedError } from '../db/embedded-error.ts';
import { MigrationError } from '../db/migrate.ts';
import { DatabaseUrlError } from '../db/open.ts';
import { CannotDecide } from '../decisions/decisions.ts';
import { faultOfFile } from '../files.ts';
import { InvalidIndices } from '../indices/definitions.ts';
import { UnknownItem } from '../items/locate/named-item.ts';
import { ConfigError } from '../lib/config-error.ts';
import { CommandError, EXIT } from './world.ts';

type Ending = { message: string; exitCode: number };

/** What a fault means to the person at the terminal, in one sentence; null for a fault of the program itself. */
function endingOf(error: unknown): Ending | null {
  if (!(error instanceof Error)) return null;
  const { message } = error;
  if (error instanceof CommandError) return { message, exitCode: error.exitCode };
  if (error instanceof ConfigError || error instanceof InvalidIndices || error instanceof UnknownItem)
    return { message, exitCode: EXIT.usage };
  if (error instanceof UnreadableFile || error instanceof CannotDecide || error instanceof UnusableBackup)
    return { message, exitCode: EXIT.input };
  if (error instanceof BackupFailed) return { message, exitCode: EXIT.fault };
  if (
    error instanceof EmbeddedError ||
    error instanceof DatabaseUrlError ||
    error instanceof MigrationError ||
    error instanceof NotRestorable
  )
    return { message, exitCode: EXIT.database };
  return ofDatabase(error) ?? ofListening(error) ?? ofFiles(error);
}

/** Ends the program's work: prints what a person can act on, or the whole fault, and returns the exit code. */
export function endWith(error: unknown): number {
  // Commander has printed its message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
  const ending = endingOf(error);
  if (ending === null) {
    console.error('mintmark: an unexpected fault; please report it with these lines:', error);
    return EXIT.fault;
  }
  console.error(`mintmark: ${ending.message}`);
  return ending.exitCode;
}

/** PostgreSQL's own codes (SQLSTATE), and connections that ended. */
function ofDatabase(error: Error): Ending | null {
  const { code = '', message } = error as { code?: string; message: string };
  const isSqlState = /^[0-9A-Z]{5}$/.test(code) && 'severity' in error;
  const sentence = isSqlState ? sentenceOf(code, message) : LOST.test(`${code} ${message}`) ? lost(message) : null;
  return sentence === null ? null : { message: sentence, exitCode: EXIT.database };
}

const LOST = /^(ECONNRESET|ECONNREFUSED|EPIPE) |Connection terminated|Client has encountered a connection error/;

function lost(message: string): string {
  return `The connection to the database was lost (${message}): see that it runs, and run the command again.`;
}

function sentenceOf(sqlState: string, message: string): string | null {
  if (sqlState === '53100')
    return `The disk of the database is full (${message}): make room there and run the command again; nothing that was stored is lost.`;
  if (sqlState === '53300')
    return `The database has no connection left (${message}): raise its max_connections or lower DB_POOL_SIZE.`;
  if (sqlState === '25006')
    return `The database takes no writes (${message}): point DATABASE_URL to the primary server.`;
  if (sqlState === '42501')
    return `The database user lacks a right (${message}): make it the owner of the database and of its tables.`;
  return /^(08|57P)/.test(sqlState) ? lost(message) : null;
}

function ofListening(error: Error): Ending | null {
  const { code, syscall, address = '', port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return null;
  const usage = (message: string) => ({ message, exitCode: EXIT.usage });
  if (code === 'EADDRINUSE')
    return usage(
      `Port ${port} of ${address} is in use: stop the program that listens there, or set PORT (METRICS_PORT for metrics).`,
    );
  if (code === 'EACCES')
    return usage(`User ${process.getuid?.()} may not listen on port ${port}: set PORT to 1024 or more.`);
  if (code === 'EADDRNOTAVAIL' || syscall === 'getaddrinfo')
    return usage(`HOST is not an address of this machine (${error.message}): set it to 127.0.0.1 or 0.0.0.0.`);
  return null;
}

/** Of these the input is wrong; other faults are of the machine. */
const WRONG_INPUT = ['ENOENT', 'EISDIR', 'ENOTDIR'];

function ofFiles(error: Error): Ending | null {
  const message = faultOfFile(error);
  if (message === null) return null;
  return { message, exitCode: WRONG_INPUT.includes((error as { code?: string }).code ?? '') ? EXIT.input : EXIT.fault };
}
