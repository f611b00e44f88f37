import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Hears NOTIFYs over one connection, however many channels there are. */
type Listener = {
  /**
   * Calls back on every NOTIFY of `channel`; resolves once listening. A lost connection is made again, and then everybody
   * is called once with an empty text: something may have been missed meanwhile.
   */
  listen(channel: string, onMessage: (payload: string) => void): Promise<void>;
  close(): Promise<void>;
};

const RETRY_MS = 1_000;

/** Nothing connects before the first `listen`. */
export function openListener(connection: pg.ClientConfig): Listener {
  const heard = new Map<string, ((payload: string) => void)[]>();
  let client: Promise<pg.Client> | null = null;
  let closed = false;

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({ ...connection, keepAlive: true });
    // Told by `end` as well, which is what brings the next connection.
    made.on('error', () => {});
    made.on('notification', ({ channel, payload = '' }) => tell(heard.get(channel), payload));
    try {
      await made.connect();
      for (const channel of heard.keys()) await made.query(listenTo(channel));
    } catch (error) {
      await made.end().catch(() => {});
      throw error;
    }
    made.once('end', () => void reconnect());
    return made;
  }

  async function reconnect(): Promise<void> {
    while (!closed) {
      try {
        client = connect();
        await client;
        for (const calls of heard.values()) tell(calls, '');
        return;
      } catch {
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  return {
    async listen(channel, onMessage) {
      client ??= connect();
      const calls = heard.get(channel);
      if (calls !== undefined) {
        calls.push(onMessage);
        await client;
        return;
      }
      heard.set(channel, [onMessage]);
      try {
        await (await client).query(listenTo(channel));
      } catch (error) {
        heard.delete(channel);
        if (heard.size === 0) client = null;
        throw error;
      }
    },
    async close() {
      closed = true;
      await (await client?.catch(() => null))?.end();
    },
  };
}

function listenTo(channel: string): string {
  return `listen ${pg.escapeIdentifier(channel)}`;
}

function tell(calls: readonly ((payload: string) => void)[] = [], payload: string): void {
  for (const call of calls) call(payload);
}
