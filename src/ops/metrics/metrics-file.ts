import { createHash, timingSafeEqual } from 'node:crypto';
import type { FileRoute } from '../../http/file-route.ts';
import { ProblemError } from '../../http/problem.ts';

/** /metrics on the main port, for a caller with the token of METRICS_TOKEN. */
export const metricsFile: FileRoute = {
  path: '/metrics',
  isServed: ({ metricsToken }) => metricsToken !== null,
  async answer({ metrics, config }, { authorization }) {
    if (!isEqual(authorization, `Bearer ${config.metricsToken}`))
      throw new ProblemError('unauthorized', 'Send the token of METRICS_TOKEN: Authorization: Bearer ….');
    return {
      body: await metrics!.text(),
      headers: { 'content-type': metrics!.contentType, 'cache-control': 'no-store' },
    };
  },
};

/** In a time that does not depend on where they differ. */
function isEqual(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(left, right);
}
