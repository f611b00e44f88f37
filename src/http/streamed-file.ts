import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { cacheControl, type DownloadType, digestField, isAny, isKnown } from './answer.ts';
import { type ByteRange, byteRangeOf } from './byte-range.ts';
import { CORS_HEADERS } from './cors.ts';
import type { Pass } from './gate.ts';
import { ProblemError } from './problem.ts';

/** A file of known length and SHA-256: made while it is sent, or on the disk, of which parts are sent too. */
export type StreamedFile = { bytes: number; sha256: Buffer } & (
  | { chunks: () => AsyncIterable<string> }
  | {
      type: string;
      part: (range: ByteRange) => AsyncIterable<Buffer>;
      /** It is not for all callers: no shared cache keeps it. */
      isPrivate: boolean;
    }
);

/** What a request for a file is answered: the file, a part of it, or that the caller has it. */
export type FilePlan = { file: StreamedFile; etag: string; status: 200 | 206 | 304; range: ByteRange };

/** Decides on the answer to a request. Throws `range_not_satisfiable`. */
export function planFile({ method, headers }: IncomingMessage, file: StreamedFile): FilePlan {
  const etag = `"${file.sha256.toString('base64url').slice(0, 22)}"`;
  const known = headers['if-none-match'];
  const whole = { from: 0, to: file.bytes - 1 };
  const plan = { file, etag, range: whole };
  if (known !== undefined && isKnown(known, etag)) return { ...plan, status: 304 };
  const isOfAnother = headers['if-range'] !== undefined && headers['if-range'] !== etag;
  if (!('part' in file) || method === 'HEAD' || headers.range === undefined || isOfAnother)
    return { ...plan, status: 200 };
  const range = byteRangeOf(headers.range, file.bytes);
  if (range === 'none')
    throw new ProblemError('range_not_satisfiable', `The file has ${file.bytes} bytes, and Range names none of them.`, {
      headers: { 'content-range': `bytes */${file.bytes}` },
    });
  return range === null ? { ...plan, status: 200 } : { ...plan, range, status: 206 };
}

/**
 * Sends a file with its digests (RFC 9530), uncompressed; 304 when the caller has it. A fault while it is sent ends the connection, so
 * that no client takes a part for the whole.
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { file, etag, status, range }: FilePlan,
  options: {
    type: DownloadType;
    maxAgeSeconds: number;
    headers: Record<string, string>;
    pass: Pass | undefined;
    requestId: string;
  },
): Promise<void> {
  const { type, maxAgeSeconds, headers, pass, requestId } = options;
  const shared = {
    etag,
    'cache-control': cacheControl(maxAgeSeconds).replace(
      'public',
      'part' in file && file.isPrivate ? 'private' : 'public',
    ),
    vary: 'x-api-key',
    ...CORS_HEADERS,
    ...headers,
    'x-request-id': requestId,
  };
  pass?.settle(isAny(request.headers['if-none-match'] ?? '') ? 200 : status);
  const flat = (all: Record<string, string>) => [...Object.entries(all).flat(), ...(pass?.headers ?? [])];
  if (status === 304) {
    response.writeHead(304, flat(shared)).end();
    return;
  }
  const digest = digestField(file.sha256);
  const isHead = request.method === 'HEAD';
  const isWhole = status === 200;
  response.writeHead(
    status,
    flat({
      'content-type': 'part' in file ? file.type : `${type}; charset=utf-8`,
      'content-length': String(range.to - range.from + 1),
      ...(isWhole ? {} : { 'content-range': `bytes ${range.from}-${range.to}/${file.bytes}` }),
      'repr-digest': digest,
      // HEAD sends no content, and the digest of a part is not known.
      ...(isHead || !isWhole ? {} : { 'content-digest': digest }),
      ...('part' in file ? { 'accept-ranges': 'bytes' } : {}),
      ...shared,
    }),
  );
  if (isHead) response.end();
  else await pipeline(Readable.from('part' in file ? file.part(range) : inBlocks(file.chunks())), response);
}

const BLOCK_CHARS = 1 << 16;

/** Many small texts as few large ones. */
async function* inBlocks(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let block = '';
  for await (const chunk of chunks) {
    block += chunk;
    if (block.length < BLOCK_CHARS) continue;
    yield block;
    block = '';
  }
  if (block !== '') yield block;
}
