import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Core } from '../context.ts';
import { problemResponse } from '../errors.ts';
import { ProblemError } from '../problem.ts';
import { lingerUnparsed } from './linger.ts';

/** A connection, and the answer that it is to carry next. */
export type Answering = Socket & { _httpMessage?: ServerResponse };

/** What node reports about a request that it could not read. */
type ClientError = Error & { code?: string };

/**
 * Answers bytes that are not an HTTP request, and a request that does not arrive in time, with a problem document, and
 * closes the connection. Nothing is sent in the middle of another answer, and on a connection that was not used yet.
 */
export function answerMalformed({ config, log }: Pick<Core, 'config' | 'log'>) {
  return (error: ClientError, socket: Answering): void => {
    const answering = socket._httpMessage?.headersSent === true;
    // Browsers open connections in advance: they would take an answer for that of the request that they send next.
    const isUnused = socket.bytesRead === 0;
    if (error.code === 'ECONNRESET' || !socket.writable || answering || isUnused) {
      socket.destroy();
      return;
    }
    const { text, requestId } = rawAnswer(detailOf(error), config.baseUrl);
    log.debug({ code: error.code, reqId: requestId }, 'malformed request');
    socket.end(text);
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
    socket.end(rawAnswer(detail, baseUrl).text);
  });
}

function detailOf({ code }: ClientError): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request did not arrive in time.';
  if (code === 'HPE_HEADER_OVERFLOW') return 'The address and headers are too large.';
  return 'The request is not well-formed HTTP.';
}

function rawAnswer(detail: string, baseUrl: string): { text: string; requestId: string } {
  const requestId = randomBytes(9).toString('base64url');
  const problem = new ProblemError('invalid_parameter', detail, { headers: { connection: 'close' } });
  const { headers, body } = problemResponse(problem, requestId, baseUrl);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return { text: `HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`, requestId };
}
