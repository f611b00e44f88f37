import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { absoluteImages } from './absolute-images.ts';
import type { CachedVariant, ReadyAnswer } from './cache.ts';
import { CORS_HEADERS } from './cors.ts';
import type { Pass, PolicyName } from './gate.ts';

/** What a handler answers. */
export type Answer<Body = unknown> = {
  /** Sent as JSON; where the answer is of another type, the text or bytes themselves. */
  body: Body;
  /** Absolute address of the page that shows the same: sent as `Link: …; rel="canonical"`. */
  pageUrl?: string;
  /** This answer must not be stored, whatever the route allows: it may change at the next call. */
  noStore?: boolean;
  /** This answer never changes, however short the route's answers are kept. */
  isForGood?: boolean;
};

/** What a route says of its answers. */
type AnswerKind = {
  status: number;
  policy: PolicyName;
  maxAgeSeconds: number | 'no-store';
  /** Sent with every answer of the route. */
  extraHeaders: Record<string, string>;
  download?: DownloadType;
  /** Of the API: what makes addresses of pictures absolute. */
  imageBase?: string;
  /** Of a page or what belongs to one: any type but JSON. */
  pageType?: string;
};

/** A file for other programs: sent with digests (RFC 9530), so that a copy can be checked. */
export type DownloadType = 'application/json' | 'text/csv' | 'application/x-ndjson' | 'application/octet-stream';

/** The age of an answer that never changes. */
export const FOR_GOOD_SECONDS = 365 * 86_400;

const SHARED_CACHE_SECONDS = 300;
/** Below this a compressed body saves no packet. */
const MIN_COMPRESSED_BYTES = 1024;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

type Encoding = 'identity' | 'gzip' | 'br';

const BROTLI_ACCEPTED = acceptance('br');
const GZIP_ACCEPTED = acceptance('gzip');

function acceptance(name: string): RegExp {
  return new RegExp(`(^|,)\\s*${name}\\s*(;\\s*q=(?!0(\\.0+)?\\s*(,|$))[^,]*)?(,|$)`, 'i');
}

const compressors: Record<Exclude<Encoding, 'identity'>, (body: Buffer) => Promise<Buffer>> = {
  gzip: (body) => promisify(gzip)(body) as Promise<Buffer>,
  br: (body) => promisify(brotliCompress)(body, BROTLI) as Promise<Buffer>,
};

/** Serializes an answer once: body, strong ETag, and the headers that every sending of it shares. */
export function readyAnswer(answer: Answer, kind: AnswerKind): ReadyAnswer {
  const type = kind.pageType ?? `${kind.download ?? 'application/json'}; charset=utf-8`;
  const body = bytesOf(answer.body, kind.imageBase);
  const kept = answer.isForGood ? FOR_GOOD_SECONDS : kind.maxAgeSeconds;
  const maxAgeSeconds = answer.noStore ? 'no-store' : kept;
  const bareHeaders = ['cache-control', cacheControl(maxAgeSeconds)];
  const { link, ...extraHeaders } = kind.extraHeaders;
  const links = [answer.pageUrl ? `<${answer.pageUrl}>; rel="canonical"` : undefined, link];
  if (links.some(Boolean)) bareHeaders.push('link', links.filter(Boolean).join(', '));
  bareHeaders.push('vary', kind.policy === 'open' ? 'accept-encoding' : 'accept-encoding, x-api-key');
  const shared: Record<string, string> = kind.pageType === undefined ? CORS_HEADERS : {};
  for (const [name, value] of Object.entries({ ...shared, ...extraHeaders })) bareHeaders.push(name, value);
  const hash = createHash('sha256').update(body).digest('base64url');
  const etag = maxAgeSeconds === 'no-store' ? null : `"${hash.slice(0, 22)}"`;
  const made = { status: kind.status, policy: kind.policy, type, digested: kind.download !== undefined, bareHeaders };
  return { ...made, plain: variantOf(made, body, etag), compressed: {} };
}

function bytesOf(body: unknown, imageBase: string | undefined): Buffer {
  if (Buffer.isBuffer(body)) return body;
  if (typeof body === 'string') return Buffer.from(body);
  const json = JSON.stringify(body);
  return Buffer.from(imageBase === undefined ? json : absoluteImages(json, imageBase));
}

function variantOf(
  { type, digested, bareHeaders }: Pick<ReadyAnswer, 'type' | 'digested' | 'bareHeaders'>,
  body: Buffer,
  etag: string | null,
  encoding: Encoding = 'identity',
): CachedVariant {
  const headers = ['content-type', type, 'content-length', String(body.length)];
  if (etag !== null) headers.push('etag', etag);
  if (digested) {
    const digest = digestOf(body);
    headers.push('repr-digest', digest, 'content-digest', digest);
  }
  headers.push(...bareHeaders);
  if (encoding !== 'identity') headers.push('content-encoding', encoding);
  return { body, etag, headers };
}

/** A digest field of RFC 9530: of the bytes as they are sent, compressed or not. */
function digestOf(bytes: Buffer): string {
  return digestField(createHash('sha256').update(bytes).digest());
}

/** A SHA-256 as such a field states it. */
export function digestField(sha256: Buffer): string {
  return `sha-256=:${sha256.toString('base64')}:`;
}

/** HEAD sends no content, so it has the digest of the representation alone (RFC 9530, appendix B.2). */
function headersOfHead(headers: readonly string[]): string[] {
  const at = headers.indexOf('content-digest');
  return at === -1 ? [...headers] : headers.toSpliced(at, 2);
}

async function compressedVariant(answer: ReadyAnswer, encoding: Exclude<Encoding, 'identity'>): Promise<CachedVariant> {
  const body = await compressors[encoding](answer.plain.body);
  return variantOf(answer, body, encodedTag(answer.plain, encoding), encoding);
}

/** The compressed form is another representation: a strong ETag of its own. */
function encodedTag({ etag }: CachedVariant, encoding: Encoding): string | null {
  return etag === null || encoding === 'identity' ? etag : `${etag.slice(0, -1)}-${encoding}"`;
}

export function cacheControl(maxAgeSeconds: number | 'no-store'): string {
  if (maxAgeSeconds === 'no-store') return 'no-store';
  if (maxAgeSeconds === FOR_GOOD_SECONDS) return `public, max-age=${maxAgeSeconds}, immutable`;
  return `public, max-age=${maxAgeSeconds}, s-maxage=${SHARED_CACHE_SECONDS}, stale-while-revalidate=600`;
}

/** Sends a cached response, or one just made: 304 when the caller has it, compressed if the caller takes it. */
export function sendReady(
  request: IncomingMessage,
  response: ServerResponse,
  answer: ReadyAnswer,
  { pass, requestId }: { pass?: Pass | undefined; requestId: string },
): void {
  const encoding =
    answer.plain.body.length < MIN_COMPRESSED_BYTES ? 'identity' : encodingFor(request.headers['accept-encoding']);
  const known = request.headers['if-none-match'];
  const etag = encodedTag(answer.plain, encoding);
  if (known !== undefined && etag !== null && isKnown(known, etag)) {
    pass?.settle(isAny(known) ? answer.status : 304);
    response.writeHead(304, [...answer.bareHeaders, 'etag', etag, ...ownHeaders(pass, requestId)]).end();
    return;
  }
  pass?.settle(answer.status);
  const own = ownHeaders(pass, requestId);
  const send = ({ body, headers }: CachedVariant) => {
    const head = request.method === 'HEAD';
    response.writeHead(answer.status, [...(head ? headersOfHead(headers) : headers), ...own]);
    response.end(head ? undefined : body);
  };
  const variant = variantIn(answer, encoding);
  if (variant instanceof Promise) variant.then(send).catch((error) => response.destroy(error));
  else send(variant);
}

/** The answer in an encoding: at once when it has been sent so before. */
function variantIn(answer: ReadyAnswer, encoding: Encoding): CachedVariant | Promise<CachedVariant> {
  if (encoding === 'identity') return answer.plain;
  const { compressed } = answer;
  compressed[encoding] ??= compressedVariant(answer, encoding).then(
    (variant) => {
      compressed[encoding] = variant;
      return variant;
    },
    (error) => {
      delete compressed[encoding];
      throw error;
    },
  );
  return compressed[encoding];
}

/** The headers of this sending alone. */
function ownHeaders(pass: Pass | undefined, requestId: string): string[] {
  return [...(pass?.headers ?? []), 'x-request-id', requestId];
}

/** The best encoding that the caller accepts; `q=0` rejects one. */
function encodingFor(accepted = ''): Encoding {
  if (BROTLI_ACCEPTED.test(accepted)) return 'br';
  return GZIP_ACCEPTED.test(accepted) ? 'gzip' : 'identity';
}

/** If-None-Match (RFC 9110 section 13.1.2): weak comparison against each listed tag, or `*`. */
export function isKnown(header: string, etag: string): boolean {
  if (isAny(header)) return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** `*` fits any version: it shows that there is one, and its tag, to a caller that never had it, and costs what a 200 does. */
export function isAny(header: string): boolean {
  return header.trim() === '*';
}
