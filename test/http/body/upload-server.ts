import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  admitUpload,
  onlyPart,
  openUploadRoom,
  readUpload,
  type UploadRoom,
  type UploadRules,
} from '../../../src/http/body/upload.ts';
import { lingerOn } from '../../../src/http/connection/linger.ts';
import { boundPipelines } from '../../../src/http/connection/pipeline.ts';
import { ProblemError } from '../../../src/http/problem.ts';
import { formOf, MULTIPART } from '../../support/multipart.ts';

export const ROOM_MB = 40;

/** A server that takes uploads and answers with the sizes of their parts; a test may set anew what is not readonly. */
export type UploadServer = {
  readonly server: Server;
  readonly port: number;
  readonly room: UploadRoom;
  /** Bytes of the room that are taken. */
  taken: number;
  /** Bytes that were still taken when the last upload was rejected. */
  takenWhenRejected: number | null;
  /** How many uploads have an answer, sent or not. */
  answered: number;
  rules: UploadRules;
  whileWorking: (request: IncomingMessage) => Promise<void>;
  patience: { silenceMs: number; partMs: number; bytesPerMs: number };
  linger: { ms: number; bytes: number; slowMs: number; bytesPerMs: number };
  post(
    body: Buffer | string | ReadableStream,
    headers?: Record<string, string>,
  ): Promise<(number | string)[] & { error?: string; detail?: string }>;
  close(): void;
};

export async function uploadServer(): Promise<UploadServer> {
  const real = openUploadRoom(ROOM_MB);
  const room: UploadRoom = {
    ...real,
    take(bytes) {
      const isTaken = real.take(bytes);
      if (isTaken) uploads.taken += bytes;
      return isTaken;
    },
    giveBack(bytes) {
      uploads.taken -= bytes;
      real.giveBack(bytes);
    },
  };
  const listener: RequestListener = async (request, response) => {
    const { rules, patience, linger } = uploads;
    lingerOn(request, response, linger);
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
      uploads.answered++;
    };
    try {
      admitUpload(request, rules);
      const upload = readUpload(request, response, rules, room, patience);
      const sizes: (number | string)[] = [];
      if (rules.maxParts === 1) sizes.push((await onlyPart(upload)).length);
      else
        for await (const part of upload) {
          sizes.push(part instanceof ProblemError ? part.code : part.length);
          await uploads.whileWorking(request);
        }
      answer(200, sizes);
    } catch (error) {
      uploads.takenWhenRejected = uploads.taken;
      if (error instanceof ProblemError) answer(400, { error: error.code, detail: error.message });
      else answer(500, String(error));
    }
  };
  const server = createServer(boundPipelines(listener));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const uploads: UploadServer = {
    server,
    port,
    room,
    taken: 0,
    takenWhenRejected: null,
    answered: 0,
    rules: { part: 'file', maxParts: 1 },
    whileWorking: async () => {},
    patience: { silenceMs: 5000, partMs: 20_000, bytesPerMs: 0.001 },
    linger: { ms: 20_000, bytes: 64 * 2 ** 20, slowMs: 20_000, bytesPerMs: 1 },
    async post(body, headers = MULTIPART) {
      const init = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
      return await (await fetch(`http://127.0.0.1:${port}/`, init)).json();
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return uploads;
}

/** A form with this file. */
export const file = (bytes: Buffer | string) => formOf({ name: 'file', bytes });
