import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { ProblemError } from '../problem.ts';

/** Headers of a part: what browsers send is under 300 bytes. */
export const MAX_PART_HEADER_BYTES = 4096;
const MAX_PART_HEADERS = 16;
/** Fields that an upload may carry besides; what they hold is not read. */
const MAX_OTHER_PARTS = 16;
/** RFC 2046, section 5.1.1. */
const BOUNDARY = /;\s*boundary=("[^"]{1,70}"|[^\s";]{1,70})\s*(;|$)/i;

/** A part that has arrived: all of its bytes, or null when there were more than the most. */
type Part = { bytes: Buffer | null };

type MultipartOptions = {
  names: readonly string[];
  maxParts: number;
  maxPartBytes: number;
  /** Asked for memory before bytes are kept; throws when there is none. */
  take(bytes: number): void;
  giveBack(bytes: number): void;
};

/** Reads multipart/form-data (RFC 7578) piece by piece. */
type Multipart = {
  /** Throws `upload_malformed`, and what `take` throws. */
  write(chunk: Buffer): Promise<void>;
  /** Throws when what was written is not whole. */
  end(): Promise<void>;
  /** The next part that has arrived since. */
  shift(): Part | undefined;
};

export function malformed(detail: string): ProblemError {
  return new ProblemError('upload_malformed', detail);
}

/** Throws `upload_malformed` where there is no multipart body to be read. */
export function checkMultipart(headers: IncomingHttpHeaders, name: string): void {
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw malformed(`Send multipart/form-data with the photo as the part ${name}.`);
  if (!BOUNDARY.test(type)) throw malformed('The boundary in Content-Type is missing or longer than 70 characters.');
}

/** Every part is taken as a file, with a file name or without; the header was checked by `checkMultipart`. */
export function openMultipart(headers: IncomingHttpHeaders, options: MultipartOptions): Multipart {
  const { names, maxParts } = options;
  const arrived: Part[] = [];
  let open = 0;
  let taken = 0;
  let failure: Error | null = null;
  let fail = (error: Error) => {
    failure ??= error;
  };
  const parser = new Busboy({
    headers: headers as BusboyHeaders,
    isPartAFile: () => true,
    limits: { parts: maxParts + MAX_OTHER_PARTS, headerPairs: MAX_PART_HEADERS, headerSize: MAX_PART_HEADER_BYTES },
  });
  parser.on('partsLimit', () => fail(malformed(`There are more than ${maxParts + MAX_OTHER_PARTS} parts.`)));
  parser.on('error', () => fail(malformed('The upload is not well-formed multipart/form-data, or not whole.')));
  parser.on('file', (name: string | undefined, stream) => {
    if (name === undefined || !names.includes(name)) {
      stream.resume();
      return;
    }
    open++;
    if (++taken > maxParts)
      fail(
        malformed(maxParts === 1 ? `Send one ${names[0]} only.` : `Send at most ${maxParts} parts named ${names[0]}.`),
      );
    collect(
      stream,
      options,
      (error) => fail(error),
      (part) => {
        open--;
        arrived.push(part);
      },
    );
  });

  /** Does something to the parser and waits until it is done, or it has failed. */
  function step(act: (done: () => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      fail = (error) => {
        failure ??= error;
        reject(failure);
      };
      if (failure === null) act(() => (failure === null ? resolve() : reject(failure)));
      else reject(failure);
    });
  }

  return {
    write: (chunk) => step((done) => parser.write(chunk, done)),
    async end() {
      await step((done) => parser.once('finish', done).end());
      if (open > 0) throw malformed('The upload is not whole.');
    },
    shift: () => arrived.shift(),
  };
}

function collect(
  stream: Readable,
  { maxPartBytes, take, giveBack }: MultipartOptions,
  fail: (error: Error) => void,
  done: (part: Part) => void,
): void {
  let chunks: Buffer[] = [];
  let kept = 0;
  let isTooLarge = false;
  stream.on('data', (chunk: Buffer) => {
    if (isTooLarge) return;
    try {
      if (kept + chunk.length > maxPartBytes) {
        isTooLarge = true;
        giveBack(kept);
        chunks = [];
        return;
      }
      take(chunk.length);
      kept += chunk.length;
      chunks.push(chunk);
    } catch (error) {
      fail(error as Error);
    }
  });
  stream.on('error', () => fail(malformed('The upload is not whole.')));
  // Before the parser hears of it, which may then say that all is finished.
  stream.prependListener('end', () => done({ bytes: isTooLarge ? null : Buffer.concat(chunks) }));
}
