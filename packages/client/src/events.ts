import { type Outgoing, type Sending, send, sleep } from './send.ts';

/** An event of a stream: `progress`, then one `result` or `failed`. `data` is parsed. */
export type ServerEvent = { id: string; event: string; data: unknown };

const LAST = ['result', 'failed'];

/**
 * The events of a stream. One that breaks off goes on behind the last event that was read: one by GET each time as often as a
 * request is repeated, one by POST that often in all, since its photo is sent and counted again.
 */
export async function* eventsOf(sending: Sending, outgoing: Outgoing): AsyncGenerator<ServerEvent> {
  let lastId: string | null = null;
  let wait = 1000;
  for (let broken = 0; ; broken++) {
    const headers = new Headers(outgoing.init.headers);
    if (lastId !== null) headers.set('last-event-id', lastId);
    const response = await send(sending, { ...outgoing, init: { ...outgoing.init, headers } });
    let failure: unknown = new Error('the stream ended before its last event');
    try {
      // Nothing is left. In Bun the body of an answer whose connection has broken off throws.
      if (response.status === 204 || response.body === null) return;
      for await (const message of messagesOf(response.body)) {
        if (message.retry !== undefined) wait = message.retry;
        if (message.data === undefined) continue;
        lastId = message.id ?? lastId;
        if (outgoing.init.method === 'GET') broken = 0;
        yield { id: lastId ?? '', event: message.event ?? 'message', data: JSON.parse(message.data) };
        if (LAST.includes(message.event ?? '')) return;
      }
    } catch (error) {
      outgoing.init.signal?.throwIfAborted();
      failure = error;
    }
    if (broken >= sending.retries) throw failure;
    await sleep(wait, outgoing.init.signal);
  }
}

type Message = { id?: string; event?: string; data?: string; retry?: number };

/** Messages of an event stream (WHATWG HTML, section 9.2.6). */
async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text = (text + decoder.decode(value, { stream: true })).replaceAll('\r\n', '\n');
      const messages = text.split('\n\n');
      text = messages.pop()!;
      for (const message of messages) yield messageOf(message);
    }
  } finally {
    await reader.cancel();
  }
}

function messageOf(text: string): Message {
  const message: Message = {};
  for (const line of text.split('\n')) {
    const at = line.indexOf(':');
    // A comment begins with the colon.
    if (at <= 0) continue;
    const [field, value] = [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')];
    if (field === 'data') message.data = message.data === undefined ? value : `${message.data}\n${value}`;
    else if (field === 'id' || field === 'event') message[field] = value;
    else if (field === 'retry' && /^\d+$/.test(value)) message.retry = Number(value);
  }
  return message;
}
