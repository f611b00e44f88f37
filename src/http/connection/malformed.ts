import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CORS_HEADERS } from '../cors.ts';
import { ProblemError, problemBody } from '../problem.ts';
import { securityHeaders } from '../security-headers.ts';
import { lingerUnparsed } from './linger.ts';

type Logging = { log: { debug(fields: object, message: string): void } };

/** A connection, and the answer that it is to carry next. */
export type Answering = Socket & { _httpMessage?: ServerResponse };

/** What node reports about a request that it could not read. */
type ClientError = Error & { code?: string };

/**
 * Answers what is not HTTP request, or does not arrive in time, with a problem document, and hangs up. Nothing is
 * answered in the middle of another answer.
 */
export function answerMalformed(baseUrl: string) {
  return function (this: Logging, error: ClientError, socket: Answering): void {
    const answering = socket._httpMessage?.headersSent === true;
    if (error.code === 'ECONNRESET' || !socket.writable || answering) {
      socket.destroy();
      return;
    }
    const requestId = randomBytes(9).toString('base64url');
    this.log.debug({ code: error.code, reqId: requestId }, 'malformed request');
    socket.end(rawAnswer(detailOf(error), requestId, baseUrl));
    lingerUnparsed(socket);
  };
}

/**
 * Answers a client that closes its side before its answer has begun: the server cannot distinguish it from one that
 * disconnected, so its work is stopped.
 */
export function answerHalfClosed(socket: Answering, baseUrl: string): void {
  socket.prependListener('end', () => {
    if (socket._httpMessage?.headersSent !== false || !socket.writable) return;
    const detail =
      'The connection was closed for sending before the answer; keep it open until the answer has arrived.';
    socket.end(rawAnswer(detail, randomBytes(9).toString('base64url'), baseUrl));
  });
}

function detailOf({ code }: ClientError): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time.';
  if (code === 'HPE_HEADER_OVERFLOW') return 'The address and headers are too large.';
  return 'The request is not well-formed HTTP.';
}

function rawAnswer(detail: string, requestId: string, baseUrl: string): string {
  const body = JSON.stringify(problemBody(new ProblemError('invalid_parameter', detail), baseUrl, requestId));
  const headers = {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
    'x-request-id': requestId,
    ...CORS_HEADERS,
    ...securityHeaders(baseUrl),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`;
}
