import type { Core } from '../http/context.ts';
import type { PhotoTurns } from './pool/photo-turns.ts';
import type { VisionPool } from './pool/pool.ts';
import type { Nearest } from './vectors/nearest.ts';

/** What routes that take photos work with. */
export type VisionContext = Core & {
  /** Processes photos. */
  vision: VisionPool;
  photoTurns: PhotoTurns;
  /** Vectors of the catalog's pictures. */
  nearest: Nearest;
};
