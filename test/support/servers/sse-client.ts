import { type IncomingMessage, request } from 'node:http';

export type SseEvent = { id: string; event: string; data: Record<string, unknown> };

/** What a reader of a stream has got so far. */
export type SseReader = {
  status: number;
  headers: IncomingMessage['headers'];
  events: SseEvent[];
  /** When each comment came, in milliseconds since the request. */
  commentsMs: number[];
  text(): string;
  /** Resolves when the stream has ended, whichever side ended it; true when the server did so properly. */
  ended: Promise<boolean>;
  hangUp(): void;
};

/** Opens a stream over a real connection; resolves with its headers. */
export function openStream(
  port: number,
  path: string,
  { headers = {}, method = 'GET' }: { headers?: Record<string, string>; method?: string } = {},
): Promise<SseReader> {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const received = request({ port, path, method, headers, host: '127.0.0.1', agent: false }, (response) => {
      let text = '';
      let at = 0;
      const events: SseEvent[] = [];
      const commentsMs: number[] = [];
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        for (let end = text.indexOf('\n\n', at); end !== -1; end = text.indexOf('\n\n', at)) {
          const event = readBlock(text.slice(at, end));
          at = end + 2;
          if (event === 'comment') commentsMs.push(performance.now() - begun);
          else if (event !== null) events.push(event);
        }
      });
      const ended = new Promise<boolean>((done) => {
        response.once('close', () => done(response.complete));
        response.once('error', () => done(false));
      });
      resolve({
        status: response.statusCode!,
        headers: response.headers,
        events,
        commentsMs,
        text: () => text,
        ended,
        hangUp: () => received.destroy(),
      });
    });
    received.once('error', reject);
    received.end();
  });
}

function readBlock(block: string): SseEvent | 'comment' | null {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    if (line.startsWith(':')) return 'comment';
    fields[line.slice(0, line.indexOf(':'))] = line.slice(line.indexOf(':') + 2);
  }
  if (fields.event === undefined) return null;
  return { id: fields.id!, event: fields.event, data: JSON.parse(fields.data!) as Record<string, unknown> };
}

/** The events of a stream's whole text. */
export function eventsOf(text: string): SseEvent[] {
  return text
    .split('\n\n')
    .map(readBlock)
    .filter((event) => event !== null && event !== 'comment');
}
