import type { IncomingHttpHeaders } from 'node:http';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { ProblemError } from '../problem.ts';

/** Headers of a part: what browsers send is under 300 bytes. */
export const MAX_PART_HEADER_BYTES = 4096;
const MAX_PART_HEADERS = 16;
/** Fields that an upload may carry in addition; their values are not read. */
const MAX_OTHER_PARTS = 16;
/** RFC 2046, section 5.1.1. */
const BOUNDARY = /;\s*boundary=("[^"]{1,70}"|[^\s";]{1,70})\s*(;|$)/i;

type MultipartOptions = {
  names: readonly string[];
  maxParts: number;
  maxPartBytes: number;
  /** Called for memory before bytes are kept; throws when there is not enough. */
  take(bytes: number): void;
  giveBack(bytes: number): void;
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

/**
 * Reads multipart/form-data (RFC 7578) piece by piece; the header was checked by `checkMultipart`. Every part is taken as a
 * file, with a file name or without.
 */
export function openMultipart(
  headers: IncomingHttpHeaders,
  { names, maxParts, maxPartBytes, take, giveBack }: MultipartOptions,
) {
  const arrived: { bytes: Buffer | null }[] = [];
  let open = 0;
  let taken = 0;
  const parser = new Busboy({
    headers: headers as BusboyHeaders,
    isPartAFile: () => true,
    limits: { parts: maxParts + MAX_OTHER_PARTS, headerPairs: MAX_PART_HEADERS, headerSize: MAX_PART_HEADER_BYTES },
  });
  let failure: Error | null = null;
  let rejectStep: (error: Error) => void = () => {};
  function fail(error: Error): void {
    failure ??= error;
    rejectStep(failure);
  }
  parser.on('partsLimit', () => fail(malformed(`There are more than ${maxParts + MAX_OTHER_PARTS} parts.`)));
  parser.on('error', () => fail(malformed('The upload is not well-formed multipart/form-data, or not whole.')));
  parser.on('file', (name: string | undefined, stream) => {
    if (name === undefined || !names.includes(name)) {
      stream.resume();
      return;
    }
    open++;
    const most = maxParts === 1 ? `Send one ${names[0]} only.` : `Send at most ${maxParts} parts named ${names[0]}.`;
    if (++taken > maxParts) fail(malformed(most));
    let chunks: Buffer[] | null = [];
    let kept = 0;
    stream.on('data', (chunk: Buffer) => {
      if (chunks === null) return;
      if (kept + chunk.length > maxPartBytes) {
        giveBack(kept);
        chunks = null;
        return;
      }
      try {
        take(chunk.length);
        kept += chunk.length;
        chunks.push(chunk);
      } catch (error) {
        fail(error as Error);
      }
    });
    stream.on('error', () => fail(malformed('The upload is not whole.')));
    // Before the parser's own listener, which may then report that everything is finished.
    stream.prependListener('end', () => {
      open--;
      arrived.push({ bytes: chunks && Buffer.concat(chunks) });
    });
  });

  /** A race with one promise of the failure would keep a reaction for every chunk of the upload. */
  function run(step: (done: () => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      rejectStep = reject;
      if (failure === null) step(() => (failure === null ? resolve() : reject(failure)));
      else reject(failure);
    });
  }

  return {
    /** Throws `upload_malformed`, and what `take` throws. */
    write: (chunk: Buffer) => run((done) => parser.write(chunk, done)),
    /** Throws when the parts written are incomplete. */
    async end() {
      await run((done) => parser.once('finish', done).end());
      if (open > 0) throw malformed('The upload is not whole.');
    },
    /** The next part that has arrived since: its bytes, or null when there were more than `maxPartBytes`. */
    shift: () => arrived.shift(),
  };
}
