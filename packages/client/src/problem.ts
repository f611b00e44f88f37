import type { Problem } from './api.ts';

/** An answer that is not a success (RFC 9457). `status` and `code` say what to branch on, the message what to do. */
export class MintmarkProblem extends Error {
  readonly status: number;
  /** The member `error` of the problem; `unknown` where something between here and the service answered. */
  readonly code: Problem['error'] | 'unknown';
  /** Null where the answer is not a problem of the service. */
  readonly problem: Problem | null;
  /** Seconds to wait, where the answer says so. */
  readonly retryAfter: number | null;

  constructor(status: number, problem: Problem | null, retryAfter: number | null) {
    super(problem?.detail ?? `The service answered with status ${status}.`);
    this.name = 'MintmarkProblem';
    this.status = status;
    this.code = problem?.error ?? 'unknown';
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** The problem of an answer. */
export async function problemOf(response: Response): Promise<MintmarkProblem> {
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  const problem = isProblem ? ((await response.json()) as Problem) : null;
  if (!isProblem) await response.body?.cancel();
  return new MintmarkProblem(response.status, problem, retryAfterOf(response));
}

function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after') ?? '';
  // Seconds or a date (RFC 9110, section 10.2.3).
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.max(0, (Date.parse(text) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? seconds : null;
}
