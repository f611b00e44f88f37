import type { Session } from '../../db/client.ts';
import { sendCopy } from '../../db/copy.ts';

/** PostgreSQL's binary COPY, for rows whose bytes would double in text. Columns: uuid, int4, bytea. */

const HEADER = Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex');
const TRAILER = Buffer.from('ffff', 'hex');
const CHUNK_BYTES = 1 << 17;

/** Sends rows to `copy <target> from stdin (format binary)`; a field is a uuid's text, an int4 or bytes. */
export async function copyBinary(
  session: Session,
  target: string,
  rows: Iterable<readonly (string | number | Buffer)[]>,
): Promise<void> {
  await sendCopy(session.copyIn(`copy ${target} from stdin (format binary)`), chunksOf(rows));
}

function* chunksOf(rows: Iterable<readonly (string | number | Buffer)[]>): Generator<Buffer> {
  let parts: Buffer[] = [HEADER];
  let bytes = HEADER.length;
  for (const row of rows) {
    const encoded = binaryRow(row);
    parts.push(encoded);
    bytes += encoded.length;
    if (bytes < CHUNK_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    bytes = 0;
  }
  yield Buffer.concat([...parts, TRAILER]);
}

function binaryRow(row: readonly (string | number | Buffer)[]): Buffer {
  const fields = row.map((field) => {
    if (typeof field === 'string') return Buffer.from(field.replaceAll('-', ''), 'hex');
    if (typeof field !== 'number') return field;
    const int4 = Buffer.allocUnsafe(4);
    int4.writeInt32BE(field);
    return int4;
  });
  const encoded = Buffer.allocUnsafe(2 + fields.reduce((total, field) => total + 4 + field.length, 0));
  let at = encoded.writeInt16BE(row.length, 0);
  for (const field of fields) {
    at = encoded.writeInt32BE(field.length, at);
    at += field.copy(encoded, at);
  }
  return encoded;
}
