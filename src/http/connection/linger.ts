import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/**
 * How long, and how much, is read on after an answer: what nginx gives, and more than the largest upload. A sender slower
 * than 8 kB/s, after the first seconds, is only holding the connection.
 */
const LINGER = { ms: 30_000, bytes: 192 * 2 ** 20, slowMs: 3000, bytesPerMs: 8 };
const LOOK_MS = 500;

export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return length !== '0' || coding !== undefined;
}

/**
 * An answer can come before all of the body has: a connection closed on unread bytes is reset, which fails a sender that
 * is still writing and would read afterwards. What was to be closed is half closed, and the rest read and dropped.
 */
export function lingerOn(request: IncomingMessage, response: ServerResponse, within = LINGER): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  const closeNow = () => Socket.prototype.destroySoon.call(socket);
  const isWhole = () => request.readableEnded || request.destroyed;
  // What node calls at the end of the last answer of a connection.
  socket.destroySoon = () => void (isWhole() ? closeNow() : socket.end());
  response.once('finish', () => {
    if (isWhole()) return;
    request.once('end', () => {
      if (socket.writableEnded) closeNow();
    });
    request.resume();
    leaveAfter(request, socket, within);
  });
}

/** The same, for a connection whose bytes can no longer be parsed. */
export function lingerUnparsed(socket: Socket): void {
  socket.removeAllListeners('data');
  // Takes the connection from node's parser.
  socket.on('data', () => {});
  socket.resume();
  leaveAfter(socket, socket, LINGER);
}

/** Cuts a connection when there is too much of what is dropped, or it takes too long; neither may be exact. */
function leaveAfter(rest: IncomingMessage | Socket, socket: Socket, within: typeof LINGER): void {
  const begun = performance.now();
  const before = socket.bytesRead;
  const look = () => {
    const waitedMs = performance.now() - begun;
    const read = socket.bytesRead - before;
    const isSlow = read < (waitedMs - within.slowMs) * within.bytesPerMs;
    if (waitedMs > within.ms || read > within.bytes || isSlow) socket.destroy();
  };
  const timer = setInterval(look, LOOK_MS).unref();
  for (const event of ['end', 'close']) rest.once(event, () => clearInterval(timer));
}
