import type { Context } from '../http/context.ts';
import type { ReadCert } from './cert.ts';
import type { GradedLookup } from './shapes.ts';
import { unfound } from './stored.ts';

/** The value of a cert that is not tracked. No grader is connected: nothing can be known of it. */
export async function valueUntracked(_context: Context, cert: ReadCert): Promise<GradedLookup> {
  return unfound(cert, 'not_ingested');
}
