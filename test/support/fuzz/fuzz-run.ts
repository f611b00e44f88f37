import type { Checker } from './fuzz-check.ts';
import { openFuzzClient } from './fuzz-client.ts';
import type { FuzzRequest } from './fuzz-requests.ts';

type Finding = { what: string; path: string; seeds: number[]; count: number };

export type FuzzReport = {
  requests: number;
  seconds: number;
  byStatus: Map<number, number>;
  /** Answers of success by path, to see that the fuzz gets past the door. */
  successes: Map<string, number>;
  findings: Finding[];
};

export type FuzzOptions = {
  port: number;
  make(seed: number): FuzzRequest;
  check: Checker;
  requests: number;
  seed: number;
  /** Over when this has passed, however many are sent. */
  maxSeconds: number;
  connections?: number;
  /** Called with the number of requests sent so far, every thousand. */
  onProgress?(sent: number): void;
};

const SEEDS_KEPT = 5;

/** The seed of the n-th request of a run. */
function requestSeed(seed: number, n: number): number {
  return (Math.imul(seed, 0x9e3779b1) + n) >>> 0;
}

/** Sends the requests of a run over a few connections and collects what is wrong with the answers. */
export async function runFuzz(options: FuzzOptions): Promise<FuzzReport> {
  const { port, make, check, requests, seed, maxSeconds, connections = 8, onProgress } = options;
  const byStatus = new Map<number, number>();
  const successes = new Map<string, number>();
  const findings = new Map<string, Finding>();
  const begun = performance.now();
  let sent = 0;
  async function work(): Promise<void> {
    const client = openFuzzClient(port);
    while (sent < requests && performance.now() - begun < maxSeconds * 1000) {
      const request = make(requestSeed(seed, sent++));
      if (sent % 1000 === 0) onProgress?.(sent);
      const { path } = request.route;
      const sentAt = performance.now();
      try {
        const answer = await client.send(request);
        byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1);
        if (answer.status < 300) successes.set(path, (successes.get(path) ?? 0) + 1);
        note(check(request, answer, performance.now() - sentAt), request);
      } catch (error) {
        note((error as Error).message, request);
      }
    }
    client.close();
  }
  function note(what: string | null, { route, seed }: FuzzRequest): void {
    if (what === null) return;
    const key = what;
    const finding = findings.get(key) ?? { what, path: route.path, seeds: [], count: 0 };
    if (finding.seeds.length < SEEDS_KEPT) finding.seeds.push(seed);
    finding.count++;
    findings.set(key, finding);
  }
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - begun) / 1000;
  return { requests: sent, seconds, byStatus, successes, findings: [...findings.values()] };
}
