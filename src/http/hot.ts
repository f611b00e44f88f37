import type { IncomingMessage, RequestListener } from 'node:http';
import { sendReady } from './answer.ts';
import type { Core } from './context.ts';
import { problemOf, sendProblem } from './errors.ts';
import { admit, type Pass } from './gate.ts';

/**
 * Sends cached responses before the framework sees the request: its target was routed and validated when the response
 * was made. Requests that the gate rejects are answered here too; everything else goes on to the framework.
 * `violation` states what the framework would reject of any request.
 */
export function cachedFirst(
  context: Core,
  nextRequestId: () => string,
  violation: (request: IncomingMessage) => string | null,
  framework: RequestListener,
): RequestListener {
  return (request, response) => {
    const cached = request.method === 'GET' || request.method === 'HEAD' ? context.cache.get(request.url!) : undefined;
    if (cached === undefined || violation(request) !== null) {
      framework(request, response);
      return;
    }
    const requestId = nextRequestId();
    const send = (pass?: Pass) => {
      context.requestCounts.cached++;
      sendReady(request, response, cached, { pass, requestId });
    };
    if (cached.policy === 'open') send();
    else
      admit(context.gate, request, cached.policy, send, (error) => {
        context.requestCounts.rejected++;
        const problem = problemOf(error, context.log.child({ reqId: requestId }));
        sendProblem(response, problem, requestId, context.config.baseUrl);
      });
  };
}
