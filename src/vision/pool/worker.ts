/** One thread of the pool: does one task after another, each when it is told to. */
import { parentPort } from 'node:worker_threads';
import { type Ask, errorOf, type FromWorker, failureOf, ownMemory, send, type ToWorker } from './messages.ts';
import { TASKS } from './tasks.ts';

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

const port = parentPort!;
const asked = new Map<number, Waiting>();
let asks = 0;

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

async function run({ name, input }: Extract<ToWorker, { kind: 'run' }>): Promise<void> {
  try {
    const task = TASKS[name] as (input: unknown, ask: Ask) => unknown;
    const output = await task(input, ask);
    tell({ kind: 'done', output }, ownMemory(output));
  } catch (error) {
    tell({ kind: 'failed', failure: failureOf(error) });
  }
}

/** Asks the main thread, which knows what the task's caller gave it to be asked. */
function ask(method: string, args: unknown[]): Promise<unknown> {
  const id = asks++;
  tell({ kind: 'ask', id, method, args });
  return new Promise((resolve, reject) => asked.set(id, { resolve, reject }));
}

function tell(message: FromWorker, moved: ArrayBuffer[] = []): void {
  send(port, message, moved);
}
