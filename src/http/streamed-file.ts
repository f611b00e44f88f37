import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { cacheControl, type DownloadType, digestField, isKnown } from './answer.ts';
import { CORS_HEADERS } from './cors.ts';
import type { Pass } from './gate.ts';

/** A file that is made while it is sent; its length and SHA-256 are known before. */
export type StreamedFile = { bytes: number; sha256: Buffer; chunks: () => AsyncIterable<string> };

/**
 * Sends a file as it is made, with its digests (RFC 9530), uncompressed; 304 when the caller has it. A fault while it is made
 * ends the connection, so that no client takes a part for the whole.
 */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: StreamedFile,
  options: {
    type: DownloadType;
    maxAgeSeconds: number;
    headers: Record<string, string>;
    pass: Pass | undefined;
    requestId: string;
  },
): Promise<void> {
  const { type, maxAgeSeconds, headers, pass, requestId } = options;
  const etag = `"${file.sha256.toString('base64url').slice(0, 22)}"`;
  const shared = {
    etag,
    'cache-control': cacheControl(maxAgeSeconds),
    vary: 'x-api-key',
    ...CORS_HEADERS,
    ...headers,
    'x-request-id': requestId,
  };
  const known = request.headers['if-none-match'];
  const status = known !== undefined && isKnown(known, etag) ? 304 : 200;
  pass?.settle(status);
  const flat = (all: Record<string, string>) => [...Object.entries(all).flat(), ...(pass?.headers ?? [])];
  if (status === 304) {
    response.writeHead(304, flat(shared)).end();
    return;
  }
  const digest = digestField(file.sha256);
  const isHead = request.method === 'HEAD';
  response.writeHead(
    200,
    flat({
      'content-type': `${type}; charset=utf-8`,
      'content-length': String(file.bytes),
      'repr-digest': digest,
      ...(isHead ? {} : { 'content-digest': digest }),
      ...shared,
    }),
  );
  if (isHead) response.end();
  else await pipeline(Readable.from(inBlocks(file.chunks())), response);
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
