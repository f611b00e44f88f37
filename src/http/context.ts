import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import type { Valuer } from '../graded/valuer.ts';
import type { VisionPool } from '../vision/pool/pool.ts';
import type { Nearest } from '../vision/vectors/nearest.ts';
import type { Assets } from '../web/assets.ts';
import type { AnswerCache } from './cache.ts';
import type { Drain } from './drain.ts';
import type { Gate } from './gate.ts';
import type { PhotoTurns } from './photo-turns.ts';
import type { UploadRoom } from './upload.ts';

/** The world, passed in. */
export type Context = {
  config: Config;
  db: Db;
  log: Logger;
  /** Milliseconds since the epoch. */
  clock: () => number;
  cache: AnswerCache;
  /** On from the signal to stop until the process has ended. */
  drain: Drain;
  gate: Gate;
  /** Keyed hash of what must be recognised but not known, such as a caller. */
  fingerprint: (text: string) => Buffer;
  valuer: Valuer;
  uploadRoom: UploadRoom;
  /** Looks at photos. */
  vision: VisionPool;
  photoTurns: PhotoTurns;
  /** Vectors of the catalog's pictures. */
  nearest: Nearest;
  /** Styles and scripts of the pages. */
  assets: Assets;
};
