import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { sendReady } from './answer.ts';
import type { ReadyAnswer } from './cache.ts';
import type { Core } from './context.ts';
import { sendRefusal } from './errors.ts';
import { keepOutcome, type Pass } from './gate.ts';
import { ProblemError } from './problem.ts';

/**
 * Sends ready answers before the framework sees the request: its target was routed and validated when the answer was
 * made. Requests that the gate rejects are answered here too; everything else goes on to the framework.
 * `violation` states what the framework would reject of any request.
 */
export function readyFirst(
  context: Core,
  nextRequestId: () => string,
  violation: (request: IncomingMessage) => string | null,
  framework: RequestListener,
): RequestListener {
  return (request, response) => {
    const ready = request.method === 'GET' || request.method === 'HEAD' ? context.cache.get(request.url!) : undefined;
    if (ready === undefined || violation(request) !== null) framework(request, response);
    else if (ready.policy === 'open') sendReady(request, response, ready, nextRequestId());
    else letIn(context, request, response, ready, nextRequestId, framework);
  };
}

function letIn(
  context: Core,
  request: IncomingMessage,
  response: ServerResponse,
  ready: ReadyAnswer,
  nextRequestId: () => string,
  framework: RequestListener,
): void {
  const send = (pass: Pass) => {
    keepOutcome(request, { pass });
    sendReady(request, response, ready, nextRequestId());
  };
  const refuse = (refused: Error) => {
    if (refused instanceof ProblemError) {
      sendRefusal(response, refused, nextRequestId(), context.config.baseUrl);
      return;
    }
    keepOutcome(request, { refused });
    framework(request, response as Parameters<RequestListener>[1]);
  };
  try {
    const pass = context.gate.enter(request, ready.policy);
    if (pass instanceof Promise) pass.then(send, refuse);
    else send(pass);
  } catch (error) {
    refuse(error as Error);
  }
}
