import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Session } from './client.ts';

type CopyValue = string | number | boolean | null | undefined;

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
  let count = 0;
  async function* chunks(): AsyncGenerator<string> {
    let chunk = '';
    for await (const row of rows) {
      chunk += copyLine(row);
      count++;
      if (chunk.length <= CHUNK_CHARS) continue;
      yield chunk;
      chunk = '';
    }
    yield chunk;
  }
  await sendCopy(session.copyIn(`copy ${target} from stdin`), chunks());
  return count;
}

/** Sends a copy's chunks and waits until the server has stored them; throws what ended the copy early. */
async function sendCopy(
  stream: Writable,
  chunks: Iterable<string | Buffer> | AsyncIterable<string | Buffer>,
): Promise<void> {
  let failed = false;
  const done = finished(stream);
  done.catch(() => {
    failed = true;
  });
  for await (const chunk of chunks) {
    // After a fault the driver's stream has lost its connection and cannot take another write.
    if (failed) break;
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), done]);
  }
  if (!failed) stream.end();
  await done;
}

/** One row in COPY's text format. */
function copyLine(row: readonly CopyValue[]): string {
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
  // NUL cannot be stored in PostgreSQL text; readers reject it, this only keeps a stray one from ending the copy.
  return /[\\\t\n\r\0]/.test(text)
    ? text.replace(/[\\\t\n\r\0]/g, (c) =>
        c === '\\' ? '\\\\' : c === '\t' ? '\\t' : c === '\n' ? '\\n' : c === '\r' ? '\\r' : '',
      )
    : text;
}
