import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadyAnswer } from './cache.ts';
import { CORS_HEADERS } from './cors.ts';
import type { Answer } from './endpoint.ts';
import { passOf } from './gate.ts';

const SHARED_CACHE_SECONDS = 300;
/** Below this a compressed body saves no packet. */
const MIN_COMPRESSED_BYTES = 1024;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

type Encoding = 'identity' | 'gzip' | 'br';

const compressors: Record<Exclude<Encoding, 'identity'>, (body: Buffer) => Promise<Buffer>> = {
  gzip: (body) => promisify(gzip)(body) as Promise<Buffer>,
  br: (body) => promisify(brotliCompress)(body, BROTLI) as Promise<Buffer>,
};

/** Serialises an answer once: body, strong ETag, and the headers that every sending of it shares. */
export function readyAnswer(
  answer: Answer,
  maxAgeSeconds: number | 'no-store',
  extraHeaders: Record<string, string>,
): ReadyAnswer {
  const body = Buffer.from(JSON.stringify(answer.body));
  const tag = createHash('sha256').update(body).digest('base64url').slice(0, 22);
  const bareHeaders: string[] = ['cache-control', cacheControl(maxAgeSeconds)];
  const storable = maxAgeSeconds !== 'no-store';
  if (storable && answer.lastModifiedMs)
    bareHeaders.push('last-modified', new Date(answer.lastModifiedMs).toUTCString());
  if (answer.pageUrl) bareHeaders.push('link', `<${answer.pageUrl}>; rel="canonical"`);
  bareHeaders.push('vary', 'accept-encoding', 'x-content-type-options', 'nosniff');
  for (const [name, value] of Object.entries({ ...CORS_HEADERS, ...extraHeaders })) bareHeaders.push(name, value);
  return {
    body,
    tag: storable ? tag : null,
    bareHeaders,
    headers: ['content-type', 'application/json; charset=utf-8', ...bareHeaders],
    compressed: {},
  };
}

function cacheControl(maxAgeSeconds: number | 'no-store'): string {
  if (maxAgeSeconds === 'no-store') return 'no-store';
  return `public, max-age=${maxAgeSeconds}, s-maxage=${SHARED_CACHE_SECONDS}, stale-while-revalidate=600`;
}

/** Sends a ready answer: 304 when the caller has it, else 200, compressed if the caller takes it. */
export function sendReady(request: FastifyRequest, reply: FastifyReply, answer: ReadyAnswer, status: number): void {
  const encoding =
    answer.body.length < MIN_COMPRESSED_BYTES ? 'identity' : encodingFor(request.raw.headers['accept-encoding']);
  const etag = answer.tag === null ? null : encoding === 'identity' ? `"${answer.tag}"` : `"${answer.tag}-${encoding}"`;
  reply.hijack();
  const known = request.raw.headers['if-none-match'];
  if (etag !== null && known !== undefined && matches(known, etag)) {
    const pass = passOf(request);
    pass?.settle(304);
    reply.raw.writeHead(304, [
      ...answer.bareHeaders,
      ...(pass?.headers ?? []),
      'etag',
      etag,
      'x-request-id',
      request.id,
    ]);
    reply.raw.end();
    return;
  }
  const body = encoding === 'identity' ? answer.body : answer.compressed[encoding];
  if (body !== undefined || encoding === 'identity') {
    write(request, reply, answer, body ?? answer.body, encoding, etag, status);
    return;
  }
  compressors[encoding](answer.body).then(
    (body) => {
      answer.compressed[encoding] = body;
      write(request, reply, answer, body, encoding, etag, status);
    },
    (error) => {
      request.log.error(error, 'compression failed');
      reply.raw.destroy();
    },
  );
}

function write(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: ReadyAnswer,
  body: Buffer,
  encoding: Encoding,
  etag: string | null,
  status: number,
): void {
  const pass = passOf(request);
  pass?.settle(status);
  const headers = [
    ...answer.headers,
    ...(pass?.headers ?? []),
    'content-length',
    String(body.length),
    'x-request-id',
    request.id,
  ];
  if (etag !== null) headers.push('etag', etag);
  if (encoding !== 'identity') headers.push('content-encoding', encoding);
  reply.raw.writeHead(status, headers);
  reply.raw.end(request.raw.method === 'HEAD' ? undefined : body);
}

/** Few clients, few headers: each is read once. Bounded, since anyone can send a new one. */
const encodingByHeader = new Map<string, Encoding>();
const MAX_HEADERS_KEPT = 256;

function encodingFor(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity';
  let encoding = encodingByHeader.get(accepted);
  if (encoding === undefined) {
    encoding = bestEncoding(accepted);
    if (encodingByHeader.size >= MAX_HEADERS_KEPT) encodingByHeader.clear();
    encodingByHeader.set(accepted, encoding);
  }
  return encoding;
}

/** The best encoding the caller accepts; `q=0` refuses one. */
function bestEncoding(accepted: string): Encoding {
  const takes = (name: string) =>
    new RegExp(`(^|,)\\s*${name}\\s*(;\\s*q=(?!0(\\.0+)?\\s*(,|$))[^,]*)?(,|$)`, 'i').test(accepted);
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}

/** If-None-Match (RFC 9110 section 13.1.2): weak comparison against each listed tag, or `*`. */
function matches(header: string, etag: string): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
