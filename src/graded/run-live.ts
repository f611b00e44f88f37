import type { ReadCert } from '../catalog/cert.ts';
import type { RunKey, RunRow } from './run-store.ts';
import type { Progress } from './stages.ts';

/** What a run told, at its place in the run. The last is the `result`; `data` is JSON. */
export type Told = { runId: number; place: number; name: 'progress' | 'result'; data: string };

/** A run as this process knows it, whoever runs it. */
export type Live = {
  cert: ReadCert;
  runId: number;
  /** What it told: `progress {…}`. */
  log: string[];
  /** Set while this process runs it. */
  own: AbortController | null;
  isOver: boolean;
  /** Why it cannot be followed any more. */
  fault: unknown;
  watchers: number;
  /** It goes on though nobody watches. */
  isJob: boolean;
  /** When the last watcher left, on the monotonic clock. */
  leftMs: number;
  wake: Set<() => void>;
};

export function newLive(cert: ReadCert, { runId, events, state }: RunRow): Live {
  const leftMs = performance.now();
  const rest = { own: null, fault: null, watchers: 0, isJob: false, leftMs };
  return { cert, runId, log: events, isOver: state === 'done', ...rest, wake: new Set() };
}

export function wake(live: Live): void {
  for (const resolve of live.wake) resolve();
  live.wake.clear();
}

/** Resolves when a run has something new, the time is over, or the signal aborts. */
export function woken(live: Live, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      live.wake.delete(done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    live.wake.add(done);
    signal.addEventListener('abort', done, { once: true });
    if (signal.aborted) done();
  });
}

/** Whoever takes up a run goes through its stages again: what was told of them is not told twice. */
export function isTold(log: readonly string[], { stage, status }: Progress): boolean {
  return log.some((event) => {
    if (!event.startsWith('progress ')) return false;
    const told = JSON.parse(event.slice('progress '.length)) as Progress;
    return told.stage === stage && (told.status === status || told.done === true);
  });
}

export function toldOf(runId: number, place: number, event: string): Told {
  const at = event.indexOf(' ');
  return { runId, place, name: event.slice(0, at) as Told['name'], data: event.slice(at + 1) };
}

export function keyOf({ company, key }: RunKey): string {
  return `${company} ${key}`;
}
