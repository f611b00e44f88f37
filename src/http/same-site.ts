import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError } from './problem.ts';

/** Sent by the page of another site: it would spend its visitor's budget here (Fetch Metadata, `Sec-Fetch-Site`). */
export function isFromElsewhere(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}

/** Throws for what another site sends. Its route is to be free for such, so that refusing costs the visitor nothing. */
export function refuseElsewhere(headers: IncomingHttpHeaders): void {
  if (isFromElsewhere(headers))
    throw new ProblemError('invalid_parameter', 'This was sent by another site; open the page here and send it again.');
}
