import type { FastifyInstance } from 'fastify';
import { unavailable } from '../problem.ts';

/** What a process serves, where it does not serve everything. */
export const PARTS = ['photos', 'api', 'pages'] as const;

export type ServedPart = (typeof PARTS)[number];

/** A longer wait does not mend it: an operator does. */
const RETRY_AFTER_SECONDS = 60;

/**
 * Answers for a route of another part: 503, at no cost. 404 would say that it does not exist: clients remember that, and
 * the proxy, which should have sent the request elsewhere, would stay as it is.
 */
export function mountElsewhere(app: FastifyInstance, url: string, method: string[], only: ServedPart): void {
  app.route({
    method,
    url,
    config: { policy: 'open' },
    onRequest: () => {
      throw unavailable(`This process serves ${only} only; a proxy sends this route to another.`, RETRY_AFTER_SECONDS);
    },
    handler: () => {},
  });
}
