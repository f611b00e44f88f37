import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { newClient } from './servers/hosts.ts';

/** The connection that a process keeps: it receives NOTIFYs of all channels, and keeps names locked while the process lives. */
export type Listener = {
  /**
   * Calls back on every NOTIFY of `channel`; resolves once listening. A lost connection is made again, and then each
   * callback is called once with an empty text: a NOTIFY may have been missed meanwhile.
   */
  listen(channel: string, onMessage: (payload: string) => void): Promise<void>;
  /** Locks a name, which other processes may share, until `letGo` or the end of the process; `isFree` checks it. */
  hold(name: string): Promise<void>;
  letGo(name: string): Promise<void>;
  close(): Promise<void>;
};

const RETRY_MS = 1_000;
/** How often the connection is tried, and how long the answer may take. */
const BEAT_MS = 5_000;
const AFTER_SLEEP_MS = 1_000;
/** Without it, a try begun while a machine was away would go on for two minutes after it is back, the names unlocked. */
const CONNECT_WITHIN_MS = 10_000;
const HOLD = 'select pg_advisory_lock_shared(hashtextextended(name, 0)) from unnest($1::text[]) name';
const LET_GO = 'select pg_advisory_unlock_shared(hashtextextended(name, 0)) from unnest($1::text[]) name';

/** SQL: no process has locked the name. */
export function isFree(name: string): string {
  return `pg_try_advisory_xact_lock(hashtextextended(${name}, 0))`;
}

/** Nothing connects before the first `listen`. */
export function openListener(connection: pg.ClientConfig): Listener {
  const callbacks = new Map<string, ((payload: string) => void)[]>();
  const held = new Set<string>();
  let client: Promise<pg.Client> | null = null;
  let running: Promise<unknown> = Promise.resolve();
  let closed = false;

  /** Runs one statement at a time. */
  function run(made: pg.Client, text: string, values?: unknown[]): Promise<unknown> {
    const answer = running.then(() => made.query(text, values));
    running = answer.catch(() => {});
    return answer;
  }

  async function connect(): Promise<pg.Client> {
    // An error is reported by `end` as well, which is what brings the next connection.
    const made = newClient({ ...connection, keepAlive: true, connectionTimeoutMillis: CONNECT_WITHIN_MS });
    made.on('notification', ({ channel, payload = '' }) => notify(callbacks.get(channel), payload));
    try {
      await made.connect();
      for (const channel of callbacks.keys()) await run(made, listenTo(channel));
      if (held.size > 0) await run(made, HOLD, [[...held]]);
    } catch (error) {
      await made.end().catch(() => {});
      throw error;
    }
    const beat = setInterval(() => void check(made), BEAT_MS).unref();
    made.once('end', () => {
      clearInterval(beat);
      void reconnect();
    });
    return made;
  }

  /** A machine that vanishes closes no connection, and would not be missed: nothing is sent to it. */
  async function check(made: pg.Client): Promise<void> {
    let hasAnswered = false;
    const lose = () => hasAnswered || made.connection.stream.destroy();
    // Where this process was asleep itself, the answer comes after the timer.
    const late = setTimeout(() => setTimeout(lose, AFTER_SLEEP_MS).unref(), BEAT_MS).unref();
    await run(made, 'select 1').catch(() => {});
    hasAnswered = true;
    clearTimeout(late);
  }

  /** Makes the first connection, also where an earlier try failed; the later ones are those of `reconnect` alone. */
  function connected(): Promise<pg.Client> {
    client ??= connect().catch((error) => {
      client = null;
      throw error;
    });
    return client;
  }

  async function reconnect(): Promise<void> {
    while (!closed) {
      try {
        client = connect();
        await client;
        for (const calls of callbacks.values()) notify(calls, '');
        return;
      } catch {
        await sleep(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  return {
    async listen(channel, onMessage) {
      const calls = callbacks.get(channel);
      callbacks.set(channel, [...(calls ?? []), onMessage]);
      const made = await connected();
      if (calls === undefined) await run(made, listenTo(channel));
    },
    async hold(name) {
      const made = await connected().catch(() => null);
      held.add(name);
      // The next connection locks it where this one is lost.
      if (made) await run(made, HOLD, [[name]]).catch(() => {});
    },
    async letGo(name) {
      const made = await client?.catch(() => null);
      if (held.delete(name) && made) await run(made, LET_GO, [[name]]).catch(() => {});
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

function notify(calls: readonly ((payload: string) => void)[] = [], payload: string): void {
  for (const call of calls) call(payload);
}
