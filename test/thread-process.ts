/** The thread that threads.test.ts opens. */
import { setTimeout as sleep } from 'node:timers/promises';
import { serveCalls } from '../src/threads.ts';

const calls = {
  after: (ms: number, result: string) => sleep(ms, result),
  fail(message: string, code: string) {
    throw Object.assign(new Error(message), { code });
  },
  failInAll(messages: string[]) {
    throw new AggregateError(messages.map((message) => new Error(message)));
  },
  exit: () => process.exit(),
};
export type ThreadCalls = typeof calls;

serveCalls(calls);
