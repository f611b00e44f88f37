import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import type { Reads } from '../db/servers/reads.ts';
import type { Fingerprint } from '../lib/fingerprint.ts';
import type { UploadRoom } from './body/upload.ts';
import type { AnswerCache } from './cache.ts';
import type { Drain } from './connection/shutdown.ts';
import type { Gate } from './gate.ts';
import type { ServedPart } from './parts/parts.ts';
import type { FaultLog } from './request-log.ts';

/** What a server shows a Prometheus: requests and memory of this process, state of the whole installation. */
export type Metrics = {
  /** Counts a response; `route` is its pattern, not its address. */
  observe(route: string, method: string, status: number, seconds: number): void;
  /** The text of a scrape. Throws when the database cannot be read. */
  text(): Promise<string>;
  contentType: string;
};

/** What every route works with, passed in; `vision`, `search`, `graded` and `web` extend it. */
export type Core = {
  config: Config;
  db: Db;
  /** Replicas, which answer routes and pages that only read; null where there are none. */
  reads: Reads | null;
  /** What this process serves; null for everything. */
  only: ServedPart | null;
  log: Logger;
  /** For faults that every request has while they last. */
  logFault: FaultLog;
  /** Milliseconds since the epoch. */
  clock: () => number;
  cache: AnswerCache;
  /** On from the signal to stop until the process has ended. */
  drain: Drain;
  gate: Gate;
  fingerprint: Fingerprint;
  uploadRoom: UploadRoom;
  /** Null where the settings name neither a port nor a token for them. */
  metrics: Metrics | null;
};
