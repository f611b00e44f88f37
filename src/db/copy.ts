import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { Session } from './client.ts';

export type CopyValue = string | number | boolean | null | undefined;

const CHUNK_CHARS = 1 << 16;

/**
 * Sends rows to `copy … from stdin` (text format) and returns how many there were. `target` is a table with its
 * columns: `items (id, game)`. Arrays and JSON are passed as the text PostgreSQL reads.
 */
export async function copyRows(
  session: Session,
  target: string,
  rows: Iterable<readonly CopyValue[]> | AsyncIterable<readonly CopyValue[]>,
): Promise<number> {
  const stream = session.copyIn(`copy ${target} from stdin`);
  const done = finished(stream);
  done.catch(() => {});
  let count = 0;
  let chunk = '';
  for await (const row of rows) {
    chunk += copyLine(row);
    count++;
    if (chunk.length > CHUNK_CHARS) {
      if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done]);
      chunk = '';
    }
  }
  stream.end(chunk);
  await done;
  return count;
}

/** One row in COPY's text format. */
export function copyLine(row: readonly CopyValue[]): string {
  let line = '';
  for (let i = 0; i < row.length; i++) {
    if (i > 0) line += '\t';
    const value = row[i];
    if (value === null || value === undefined) line += '\\N';
    else if (typeof value === 'string') line += escapeText(value);
    else line += String(value);
  }
  return `${line}\n`;
}

function escapeText(text: string): string {
  // NUL cannot be stored in PostgreSQL text; readers refuse it, this only keeps a stray one from ending the copy.
  return /[\\\t\n\r\0]/.test(text)
    ? text.replace(/[\\\t\n\r\0]/g, (c) =>
        c === '\\' ? '\\\\' : c === '\t' ? '\\t' : c === '\n' ? '\\n' : c === '\r' ? '\\r' : '',
      )
    : text;
}
