import { connect, type Socket } from 'node:net';

export type RawAnswer = {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Whether the server hung up by itself. */
  closed: boolean;
  afterMs: number;
};

/** Sends bytes as they are and reads until the server closes the connection, or for `waitMs`. */
export function sendRaw(
  port: number,
  bytes: string | Buffer | ((socket: Socket) => void),
  waitMs = 2000,
): Promise<RawAnswer> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      if (typeof bytes === 'function') bytes(socket);
      else socket.write(bytes);
    });
    const chunks: Buffer[] = [];
    let closed = true;
    const timer = setTimeout(() => {
      closed = false;
      socket.destroy();
    }, waitMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ ...readAnswer(Buffer.concat(chunks).toString()), closed, afterMs: performance.now() - begun });
    });
  });
}

/** As many clients do: reads when all is written, and not at all when that fails. */
export function writeThenRead(bytes: Buffer): (socket: Socket) => void {
  return (socket) => {
    socket.pause();
    socket.write(bytes, (error) => {
      if (!error) socket.resume();
    });
  };
}

/** The last whole answer of a stream; status 0 when there was none. */
function readAnswer(text: string): Pick<RawAnswer, 'status' | 'headers' | 'body'> {
  const start = text.lastIndexOf('HTTP/1.1 ');
  if (start < 0) return { status: 0, headers: {}, body: text };
  const [head = '', body = ''] = text.slice(start).split('\r\n\r\n', 2);
  const [first = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { status: Number(first.slice(9, 12)), headers, body };
}
