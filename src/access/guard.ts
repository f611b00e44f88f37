import type { FastifyRequest } from 'fastify';
import { ProblemError } from '../http/problem.ts';
import type { KeyRing } from './keys.ts';

export type Tier = 'partner' | 'public';

/**
 * Who asks. Both headers and right: partner; none: public; anything else is refused, never taken for public.
 * Throws `unauthorized`.
 */
export function tierOf(request: FastifyRequest, keys: KeyRing): Tier | Promise<Tier> {
  const { 'x-api-key': id, 'x-api-secret': secret } = request.raw.headers;
  if (id === undefined && secret === undefined) return 'public';
  if (typeof id !== 'string' || typeof secret !== 'string')
    throw unauthorized('Send both X-Api-Key and X-Api-Secret, or neither.');
  return keys.accepts(id, secret).then((accepted): Tier => {
    if (!accepted) throw unauthorized('The key or its secret is wrong, or the key was revoked.');
    return 'partner';
  });
}

function unauthorized(detail: string): ProblemError {
  return new ProblemError('unauthorized', detail, { headers: { 'www-authenticate': 'ApiKey realm="partner"' } });
}
