import type { LookupAddress } from 'node:dns';
import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

/** Why an outbound call has no answer. */
export type OutboundError =
  | 'bad_address'
  | 'host_not_allowed'
  | 'address_not_allowed'
  | 'unknown_host'
  | 'unreachable'
  | 'untrusted_certificate'
  | 'timeout'
  | 'aborted'
  | 'too_large'
  | 'bad_redirect'
  | 'too_many_redirects'
  | 'bad_answer';

/** Thrown inside, a value outside; the message never repeats more of an address than its host. */
export class OutboundFault extends Error {
  override name = 'OutboundFault';
  readonly error: OutboundError;

  constructor(error: OutboundError, message: string) {
    super(message);
    this.error = error;
  }
}

type HopRequest = {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body: Buffer | string | null;
  signal: AbortSignal;
  /** Longest silence of the other side, connecting included. */
  idleTimeoutMs: number;
  /** Of the body, on the wire and unpacked. */
  maxBytes: number;
};

export type HopAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Whether an answer redirects its caller. */
export function isRedirect({ status, headers }: HopAnswer): boolean {
  return REDIRECTS.has(status) && headers.location !== undefined;
}

/**
 * One request to one of `addresses`, which the caller has checked: the name is not looked up again, so that a second
 * answer of its DNS cannot lead elsewhere. Throws OutboundFault, or what the socket threw.
 */
export async function requestOnce(url: URL, addresses: LookupAddress[], request: HopRequest): Promise<HopAnswer> {
  const { method, headers, body, signal, idleTimeoutMs, maxBytes } = request;
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const outgoing = send(url, {
    method,
    headers: { ...headers, 'accept-encoding': 'gzip, br' },
    lookup: pinned(addresses),
    // A connection each: nothing is kept that was checked under other circumstances.
    agent: false,
    rejectUnauthorized: true,
    timeout: idleTimeoutMs,
    signal,
  });
  let silence: OutboundFault | null = null;
  outgoing.on('timeout', () => {
    silence = new OutboundFault('timeout', `${url.host} was silent for ${idleTimeoutMs} ms.`);
    outgoing.destroy(silence);
  });
  outgoing.end(body ?? undefined);
  try {
    const response = await responseOf(outgoing);
    const answer = { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.alloc(0) };
    return isRedirect(answer) ? answer : { ...answer, body: await readBody(response, url.host, maxBytes) };
  } catch (error) {
    // A response under way only learns that its connection is closed, not why.
    throw silence ?? error;
  } finally {
    outgoing.destroy();
  }
}

/** A lookup that knows one answer; a host that is an IP address is never looked up, and is its own answer. */
function pinned(addresses: LookupAddress[]): LookupFunction {
  return (_host, options, callback) => {
    if (options.all) callback(null, addresses);
    else callback(null, addresses[0]!.address, addresses[0]!.family || isIP(addresses[0]!.address));
  };
}

function responseOf(outgoing: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    // Stays after the response: an error of the socket then ends the response too, and must not be unheard here.
    outgoing.on('error', reject);
    outgoing.once('upgrade', () => reject(new OutboundFault('bad_answer', 'The answer changed the protocol.')));
  });
}

async function readBody(response: IncomingMessage, host: string, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new OutboundFault('too_large', `${host} sent more than ${maxBytes} bytes.`);
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge();
  const limited = async function* (arriving: AsyncIterable<Buffer>) {
    let bytes = 0;
    for await (const chunk of arriving) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge();
      yield chunk;
    }
  };
  const chunks: Buffer[] = [];
  for await (const chunk of limited(unpacked(response, host, limited))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The body as it was before it was packed. One packing at most: several on top of each other are a bomb. */
function unpacked(
  response: IncomingMessage,
  host: string,
  limited: (arriving: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return response;
  const unpacker = encoding === 'gzip' ? createGunzip() : encoding === 'br' ? createBrotliDecompress() : null;
  if (unpacker === null) throw new OutboundFault('bad_answer', `${host} sent an encoding that was not requested.`);
  // The reader of `unpacker` gets every error of both. Much that is packed may be nothing unpacked.
  pipeline(response, limited, unpacker, () => {});
  return unpacker;
}
