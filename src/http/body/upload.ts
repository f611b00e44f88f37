import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProblemError, unavailable } from '../problem.ts';
import { checkMultipart, MAX_PART_HEADER_BYTES, malformed, openMultipart } from './multipart.ts';

/** The multipart/form-data that a route takes. */
export type UploadRules = {
  /** Name of the parts, and what shipped clients call them. */
  part: string;
  aliases?: readonly string[];
  /** How many there may be; there is one at least. */
  maxParts: number;
};

/** The parts of an upload, one by one: bytes, or the problem with a part that is too large where there may be others. */
export type Upload = AsyncGenerator<Buffer | ProblemError, void>;

/** Memory for uploads over all requests of a process. */
export type UploadRoom = {
  /** True when there was room for so many bytes more: they are then taken. */
  take(bytes: number): boolean;
  giveBack(bytes: number): void;
  /** The process is about to end: uploads that have not arrived are answered with `unavailable`. */
  close(): void;
  /** Aborted by `close`. */
  closed: AbortSignal;
};

export const MAX_PART_BYTES = 15 * 1024 * 1024;
/** For boundaries and headers around the parts. */
const MAX_AROUND_BYTES = 64 * 1024;
/** A sender is given up when nothing arrives for this long, a part takes this long, or it sends slower than 8 kB/s. */
const PATIENCE = { silenceMs: 10_000, partMs: 60_000, bytesPerMs: 8 };

export function openUploadRoom(megabytes: number): UploadRoom {
  let left = megabytes * 2 ** 20;
  const closing = new AbortController();
  // One listener an upload.
  setMaxListeners(0, closing.signal);
  return {
    close: () => closing.abort(),
    closed: closing.signal,
    take(bytes) {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    },
    giveBack(bytes) {
      left += bytes;
    },
  };
}

/** Checks an upload before its body is read. Throws `upload_malformed` and `upload_too_large`. */
export function admitUpload({ headers }: IncomingMessage, rules: UploadRules): void {
  checkMultipart(headers, rules.part);
  if (Number(headers['content-length'] ?? 0) > maxBytesOf(rules)) throw tooLarge(rules);
}

/**
 * Reads an upload as its parts are drawn: while one is being processed no more is read than the socket buffers. Memory of
 * one of several is given back when the next one is drawn, else when the response is finished. Throws `upload_malformed`, `upload_too_large`, `unavailable` (no room, or closed).
 */
export async function* readUpload(
  request: IncomingMessage,
  response: ServerResponse,
  rules: UploadRules,
  room: UploadRoom,
  patience = PATIENCE,
): Upload {
  const held = holdRoom(room, response);
  const multipart = openMultipart(request.headers, {
    names: [rules.part, ...(rules.aliases ?? [])],
    maxParts: rules.maxParts,
    maxPartBytes: MAX_PART_BYTES,
    ...held,
  });
  let received = 0;
  let parts = 0;
  function* arrived() {
    for (let part = multipart.shift(); part !== undefined; part = multipart.shift()) {
      parts++;
      const { bytes } = part;
      if (bytes === null && rules.maxParts === 1) throw tooLarge(rules);
      yield bytes ?? tooLarge(rules);
      // The only part is worked on when all is read.
      if (rules.maxParts > 1) held.giveBack(bytes?.length ?? 0);
    }
  }
  const { silenceMs, partMs, bytesPerMs } = patience;
  const allowedMs = () => Math.min((parts + 1) * partMs, silenceMs + received / bytesPerMs);
  try {
    for await (const chunk of arriving(request, room.closed, silenceMs, allowedMs)) {
      received += chunk.length;
      if (received > maxBytesOf(rules)) throw tooLarge(rules);
      await multipart.write(chunk);
      yield* arrived();
    }
    await multipart.end();
    yield* arrived();
    if (parts === 0) throw malformed(`There is no part named ${rules.part}.`);
  } catch (error) {
    // At once: where many run out of room together, the others can go on with the memory of this one.
    held.release();
    throw error;
  }
}

/** The bytes of an upload of one part, read to its end; throws like `readUpload`. */
export async function onlyPart(upload: Upload): Promise<Buffer> {
  let bytes: Buffer | undefined;
  for await (const part of upload) {
    if (part instanceof ProblemError) throw part;
    bytes = part;
  }
  return bytes!;
}

/** What arrives, until its end; `allowedMs` is how long may have been waited for it so far. */
async function* arriving(
  request: IncomingMessage,
  closed: AbortSignal,
  silenceMs: number,
  allowedMs: () => number,
): AsyncGenerator<Buffer, void> {
  // Unlike the stream's own iterator this leaves the stream whole when no more is drawn: the answer is still to be sent.
  let waitedMs = 0;
  while (!request.readableEnded) {
    const chunk = request.read() as Buffer | null;
    if (chunk !== null) {
      yield chunk;
      continue;
    }
    if (request.destroyed) throw malformed('The upload broke off.');
    if (closed.aborted) throw stopping();
    const began = performance.now();
    const withinMs = Math.min(silenceMs, allowedMs() - waitedMs);
    if (!(await movement(request, closed, withinMs))) throw malformed('The upload does not arrive in time.');
    waitedMs += performance.now() - began;
  }
}

/** Waits until there is more, or no more, to be read; false: nothing happened within the time. */
function movement(request: IncomingMessage, closed: AbortSignal, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const events = ['readable', 'end', 'close', 'error'];
    const settle = (moved: boolean) => {
      clearTimeout(timer);
      for (const event of events) request.removeListener(event, moves);
      closed.removeEventListener('abort', moves);
      resolve(moved);
    };
    const moves = () => settle(true);
    const timer = setTimeout(() => settle(false), withinMs);
    for (const event of events) request.on(event, moves);
    closed.addEventListener('abort', moves);
  });
}

/** The part of the room that a request holds, at most until its response is finished. `take` throws `unavailable`. */
function holdRoom(room: UploadRoom, response: ServerResponse) {
  let held = 0;
  const giveBack = (bytes: number) => {
    held -= bytes;
    room.giveBack(bytes);
  };
  const release = () => giveBack(held);
  for (const event of ['finish', 'close']) response.once(event, release);
  return {
    take(bytes: number) {
      if (!room.take(bytes)) throw unavailable('Too many photos are arriving; try again in a moment.', 2);
      held += bytes;
    },
    giveBack,
    release,
  };
}

function maxBytesOf({ maxParts }: UploadRules): number {
  return maxParts * (MAX_PART_BYTES + MAX_PART_HEADER_BYTES) + MAX_AROUND_BYTES;
}

function stopping(): ProblemError {
  return new ProblemError('unavailable', 'This server is being restarted; send the photo again.', {
    headers: { 'retry-after': '1', connection: 'close' },
  });
}

function tooLarge({ maxParts }: UploadRules): ProblemError {
  const each = maxParts === 1 ? '' : ' each';
  return new ProblemError('upload_too_large', `A photo has at most ${MAX_PART_BYTES / 2 ** 20} MB${each}.`);
}
