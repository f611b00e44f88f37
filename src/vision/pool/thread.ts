import { parentPort } from 'node:worker_threads';
import { type Ask, errorOf, type FromWorker, failureOf, ownMemory, send, type ToWorker } from './messages.ts';

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

/** What a thread can do, by name. */
type Table = Record<string, (input: never, ask: Ask) => unknown>;

/** Makes this thread one of the pool: it does one task of the table after another, each when it is told to. */
export function doTasks(table: Table): void {
  const port = parentPort!;
  const asked = new Map<number, Waiting>();
  let asks = 0;

  const tell = (message: FromWorker, moved: ArrayBuffer[] = []) => send(port, message, moved);

  /** Asks the main thread, which knows what the task's caller gave it to be asked. */
  const ask: Ask = (method, args) => {
    const id = asks++;
    tell({ kind: 'ask', id, method, args });
    return new Promise((resolve, reject) => asked.set(id, { resolve, reject }));
  };

  async function run({ name, input }: Extract<ToWorker, { kind: 'run' }>): Promise<void> {
    try {
      const task = table[name] as (input: unknown, ask: Ask) => unknown;
      const output = await task(input, ask);
      tell({ kind: 'done', output }, ownMemory(output));
    } catch (error) {
      tell({ kind: 'failed', failure: failureOf(error) });
    }
  }

  port.on('message', (message: ToWorker) => {
    if (message.kind === 'run') {
      void run(message);
      return;
    }
    const waiting = asked.get(message.id)!;
    asked.delete(message.id);
    if (message.kind === 'answer') waiting.resolve(message.value);
    else waiting.reject(errorOf(message.failure));
  });
  tell({ kind: 'ready' });
}
