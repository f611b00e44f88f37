import type { IncomingHttpHeaders } from 'node:http';
import { certStream } from '../../graded/stream.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { notFound } from '../../http/problem.ts';
import { isCrossOrigin, rejectCrossOrigin } from '../../http/same-site.ts';

/**
 * `/cert/{cert}/events`: the stream of the API for visitors of the pages, out of a budget of theirs. It is opened by a
 * script only: other clients of the address, such as crawlers, do not accept events and start nothing.
 */
export const certEvents: Endpoint = endpoint({
  ...certStream,
  id: 'siteCertEvents',
  reads: 'primary',
  policy: 'site',
  isFree: (context, request) =>
    !acceptsEvents(request.headers) ||
    isCrossOrigin(request.headers, context.config.baseUrl) ||
    certStream.isFree!(context, request),
  async handle(context, input) {
    rejectCrossOrigin(input.headers, context.config.baseUrl);
    if (!acceptsEvents(input.headers)) throw notFound('Here is a stream of events; the page of the slab opens it.');
    return certStream.handle(context, input);
  },
}) as Endpoint;

function acceptsEvents({ accept = '' }: IncomingHttpHeaders): boolean {
  return /\btext\/event-stream\b/.test(accept);
}
