import { connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import type { FuzzRequest } from './fuzz-requests.ts';

export type FuzzAnswer = { status: number; headers: Record<string, string>; body: string };

/** One connection that sends requests as they are, also such as no HTTP library would; opened anew when it is cut. */
export type FuzzClient = { send(request: FuzzRequest): Promise<FuzzAnswer>; close(): void };

const PATIENCE_MS = 10_000;

export function requestBytes({ method, target, headers, body }: FuzzRequest): Buffer {
  const bytes = body === null ? null : Buffer.from(body, 'utf8');
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  if (bytes !== null) lines.push(`content-length: ${bytes.length}\r\n`);
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1');
  return bytes === null ? head : Buffer.concat([head, bytes]);
}

export function openFuzzClient(port: number): FuzzClient {
  let socket: Socket | null = null;
  return {
    async send(request) {
      const fresh = socket === null;
      socket ??= connect({ port, host: '127.0.0.1', noDelay: true }).setMaxListeners(0);
      const used = socket;
      try {
        const { answer, over } = await exchange(used, request);
        if (over) throw Object.assign(new Error('over'), { answer });
        return answer;
      } catch (error) {
        used.destroy();
        socket = null;
        const { answer } = error as { answer?: FuzzAnswer };
        if (answer) return answer;
        // The server may close an idle connection in the moment in which it is used.
        if (!fresh) return this.send(request);
        throw error;
      }
    },
    close: () => socket?.destroy(),
  };
}

function exchange(socket: Socket, request: FuzzRequest): Promise<{ answer: FuzzAnswer; over: boolean }> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const timer = setTimeout(() => fail(new Error(`no answer in ${PATIENCE_MS} ms`)), PATIENCE_MS);
    const stop = () => {
      clearTimeout(timer);
      socket.off('data', read).off('error', fail).off('close', closed);
    };
    const fail = (error: Error) => {
      stop();
      reject(error);
    };
    const closed = () => fail(new Error('hung up without an answer'));
    const read = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const whole = wholeAnswer(received, request.method);
      if (whole === null) return;
      stop();
      const over = whole.headers.connection === 'close' || received.length > whole.end;
      unpacked(whole).then((body) => resolve({ answer: { ...whole, body }, over }), reject);
    };
    socket.on('data', read).on('error', fail).on('close', closed);
    socket.write(requestBytes(request));
  });
}

type Whole = { status: number; headers: Record<string, string>; raw: Buffer; end: number };

/** The first final answer in the bytes, or null while it is not all there. */
function wholeAnswer(bytes: Buffer, method: string): Whole | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const status = Number(first.slice(9, 12));
  const begin = headEnd + 4;
  if (status === 100) {
    const rest = wholeAnswer(bytes.subarray(begin), method);
    return rest && { ...rest, end: rest.end + begin };
  }
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const bare = method === 'HEAD' || status === 304 || status === 204;
  if (!bare && headers['transfer-encoding'] === 'chunked') {
    const body = wholeChunks(bytes, begin);
    return body && { status, headers, ...body };
  }
  const length = bare ? 0 : Number(headers['content-length']);
  if (Number.isNaN(length)) throw new Error('an answer without its length');
  const end = begin + length;
  return bytes.length < end ? null : { status, headers, raw: bytes.subarray(begin, end), end };
}

/** A body in chunks, as streams come; null while the last is not there. */
function wholeChunks(bytes: Buffer, begin: number): { raw: Buffer; end: number } | null {
  const parts: Buffer[] = [];
  for (let at = begin; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (bytes.length < next) return null;
    if (size === 0) return { raw: Buffer.concat(parts), end: next };
    parts.push(bytes.subarray(lineEnd + 2, next - 2));
    at = next;
  }
}

async function unpacked({ headers, raw }: Whole): Promise<string> {
  const encoding = headers['content-encoding'];
  if (encoding === undefined || raw.length === 0) return raw.toString('utf8');
  return (await promisify(encoding === 'br' ? brotliDecompress : gunzip)(raw)).toString('utf8');
}
