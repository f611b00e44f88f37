import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export type Listening = { close(): Promise<void> };

const RETRY_MS = 1_000;

/**
 * Calls back on every NOTIFY of `channel`; resolves once listening. A lost connection is made again, and then
 * `onMessage` is called once with an empty text: something may have been missed meanwhile.
 */
export async function listenTo(
  connection: pg.ClientConfig,
  channel: string,
  onMessage: (payload: string) => void,
): Promise<Listening> {
  let closed = false;
  let client = await connect();

  async function connect(): Promise<pg.Client> {
    const made = new pg.Client({ ...connection, keepAlive: true });
    // Told by `end` as well, which is what brings the next connection.
    made.on('error', () => {});
    made.on('notification', (message) => onMessage(message.payload ?? ''));
    try {
      await made.connect();
      await made.query(`listen ${pg.escapeIdentifier(channel)}`);
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
        client = await connect();
        if (closed) await client.end();
        else onMessage('');
        return;
      } catch {
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  return {
    async close() {
      closed = true;
      await client.end();
    },
  };
}
