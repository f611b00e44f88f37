import type { FastifyInstance, InjectOptions } from 'fastify';
import { ApiProblem, type ToolApi } from './tool.ts';

/** Whose requests they are: what the guard reads of a request, and when the client has gone. */
export type OnBehalf = {
  headers: Record<string, string>;
  remoteAddress: string;
  signal: AbortSignal;
};

/**
 * The API of this process, without a connection: each call passes the guard, the budgets, the cache, the checks and the log as a
 * request of the caller does.
 */
export function ownApi(app: FastifyInstance, baseUrl: string, { headers, remoteAddress, signal }: OnBehalf): ToolApi {
  async function send<Body>(request: InjectOptions): Promise<Body> {
    const answer = await app
      .inject({ ...request, headers: { ...headers, ...request.headers }, remoteAddress, signal })
      .catch((error: unknown) => {
        if (signal.aborted) throw new ApiProblem('This takes too long; try again shortly.');
        throw error;
      });
    return bodyOf<Body>(answer.statusCode, answer.body);
  }
  return {
    baseUrl,
    get: (url) => send({ method: 'GET', url }),
    post: (url, body) =>
      send({ method: 'POST', url, payload: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  };
}

/** The body of an answer. Throws ApiProblem for one that is not a success, with the candidates that it has. */
export function bodyOf<Body>(status: number, text: string): Body {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new ApiProblem(`The service answered with something that is not JSON (status ${status}).`);
  }
  if (status >= 200 && status < 300) return body as Body;
  const { detail, error, candidates } = (body ?? {}) as { detail?: unknown; error?: unknown; candidates?: unknown };
  const meant = Array.isArray(candidates) && candidates.length > 0 ? ` Candidates: ${candidates.join(', ')}.` : '';
  const message = typeof detail === 'string' ? detail + meant : `The service answered with status ${status}.`;
  throw new ApiProblem(message, typeof error === 'string' ? error : null);
}
