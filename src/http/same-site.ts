import type { IncomingHttpHeaders } from 'node:http';
import { ProblemError } from './problem.ts';

/**
 * True for a form sent by a page of another origin, which would spend its visitor's budget here: by Fetch Metadata
 * (`Sec-Fetch-Site`), or by `Origin` from browsers that do not send it. Programs send neither.
 */
export function isCrossOrigin(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && origin !== new URL(baseUrl).origin;
}

/** Throws for a request of another origin. Its route has to be free for these: a rejection costs the visitor nothing. */
export function rejectCrossOrigin(headers: IncomingHttpHeaders, baseUrl: string): void {
  if (!isCrossOrigin(headers, baseUrl)) return;
  throw new ProblemError(
    'invalid_parameter',
    `This form was sent from another site. Open the page at ${baseUrl} and send it again.`,
  );
}
