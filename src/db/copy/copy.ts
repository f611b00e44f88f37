import { pipeline } from 'node:stream/promises';
import type { Session } from '../client.ts';

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
  await pipeline(chunks, session.copyIn(`copy ${target} from stdin`));
  return count;
}

// NUL cannot be stored in PostgreSQL text; readers reject it, this only keeps a stray one from ending the copy.
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '' };

/** One row in COPY's text format. */
function copyLine(row: readonly CopyValue[]): string {
  const values = row.map((value) =>
    typeof value === 'string' ? value.replace(/[\\\t\n\r\0]/g, (c) => ESCAPES[c]!) : String(value ?? '\\N'),
  );
  return `${values.join('\t')}\n`;
}
