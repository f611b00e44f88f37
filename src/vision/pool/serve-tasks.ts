import { type Ask, errorOf, type FromChild, failureOf, type ToChild } from './messages.ts';

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

/** The tasks of a child process by name. */
type Table = Record<string, (input: never, ask: Ask) => unknown>;

/** Makes this process a child of the pool: it runs the tasks of the table, one after another, as they are sent. */
export function serveTasks(table: Table): void {
  const pending = new Map<number, Waiting>();
  let calls = 0;

  const send = (message: FromChild) => void process.send!(message);

  const ask: Ask = (method, args) => {
    const id = calls++;
    send({ kind: 'ask', id, method, args });
    return new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
  };

  async function run({ name, input }: Extract<ToChild, { kind: 'run' }>): Promise<void> {
    try {
      const task = table[name] as (input: unknown, ask: Ask) => unknown;
      send({ kind: 'done', output: await task(input, ask) });
    } catch (error) {
      send({ kind: 'failed', failure: failureOf(error) });
    }
  }

  process.on('message', (message: ToChild) => {
    if (message.kind === 'run') {
      void run(message);
      return;
    }
    const waiting = pending.get(message.id)!;
    pending.delete(message.id);
    if (message.kind === 'answer') waiting.resolve(message.value);
    else waiting.reject(errorOf(message.failure));
  });
  // The terminal and service managers signal all processes of a service: its server decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  // An exit would wait for native decoding to end, which may take minutes.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  send({ kind: 'ready' });
}
