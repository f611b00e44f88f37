import { certStream } from '../graded/stream.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { notFound } from '../http/problem.ts';

/**
 * `/cert/{cert}/events`: the stream of the API for visitors of the pages, out of a budget of theirs. It is opened by a
 * script only: whatever else follows the address, such as a crawler, asks for no events and starts nothing.
 */
export const certEvents: Endpoint = endpoint({
  ...certStream,
  id: 'siteCertEvents',
  policy: 'site',
  async handle(context, input) {
    if (!/\btext\/event-stream\b/.test(input.headers.accept ?? ''))
      throw notFound('Here is a stream of events; the page of the slab opens it.');
    return certStream.handle(context, input);
  },
}) as Endpoint;
