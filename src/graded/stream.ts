import { Type } from 'typebox';
import { type ReadCert, readCert } from '../catalog/cert.ts';
import { endpoint } from '../http/endpoint.ts';
import type { ServerEvent } from '../http/sse.ts';
import type { GradedContext } from './context.ts';
import { certParams, notCert } from './lookup.ts';
import { eventId, type RunPlace, readEventId } from './runs/event-id.ts';
import { SLAB_EVENTS } from './stream-shapes.ts';

const ABOUT = `Server-sent events, each with an id: \`progress\` {stage, message, status, done?, data?} for each stage of a live
valuation, then exactly one \`result\` (a GradedLookup) or \`failed\` {error, detail}. A comment at least every 3 s.`;

/** An answer from what is stored is a run of its own, with one event. */
const STORED: RunPlace = { runId: 0, place: 0, isLast: true };

export const certStream = endpoint({
  id: 'gradedCertStream',
  reads: 'primary',
  summary: 'A slab by its cert number, with an event for each stage of its valuation',
  params: certParams,
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'Id of the last event that was seen: the rest is sent again, at no cost; 204 when there is no rest.',
      }),
    ),
  }),
  response: Type.String({ description: ABOUT.replace('\n', ' ') }),
  isStream: true,
  events: SLAB_EVENTS,
  maxAgeSeconds: 'no-store',
  isFree: (context: GradedContext, { params, headers }) =>
    placeOf(context, params.cert!, headers['last-event-id']) !== null,
  async handle(context: GradedContext, { params, headers, charge }) {
    const before = placeOf(context, params.cert, headers['last-event-id']);
    if (before?.isLast) return { events: null };
    const cert = readCert(params.cert);
    if (cert.kind === 'invalid') {
      const failure = { error: 'invalid_cert', detail: notCert(params.cert) };
      return { events: () => singleEvent(context, params.cert, 'failed', failure) };
    }
    if (before !== null) {
      const { runId, place } = before;
      if (await context.valuer.runs.knows(runId))
        return { events: (signal) => followRun(context, cert, { runId, place: place + 1 }, signal) };
      // The run is forgotten: what follows is not the rest of anything.
      await charge();
    }
    const { lookup, mayFindMore } = await context.valuer.stored(cert);
    if (mayFindMore) return { events: (signal) => followRun(context, cert, null, signal) };
    return { events: () => singleEvent(context, cert.cert, 'result', lookup) };
  },
});

/** What event ids are bound to: the cert, or the text itself where it is not one. */
function subjectOf(text: string): string {
  const cert = readCert(text);
  return cert.kind === 'invalid' ? text : `${cert.company} ${cert.key}`;
}

function placeOf({ fingerprint }: GradedContext, cert: string, lastEventId: unknown): RunPlace | null {
  return typeof lastEventId === 'string' ? readEventId(fingerprint, subjectOf(cert), lastEventId) : null;
}

async function* singleEvent(
  { fingerprint }: GradedContext,
  text: string,
  name: 'result' | 'failed',
  body: unknown,
): AsyncGenerator<ServerEvent> {
  yield { id: eventId(fingerprint, subjectOf(text), STORED), name, data: JSON.stringify(body) };
}

/** Follows a valuation, from a place of a run on; when the time of this request is over, ends with what is known so far. */
async function* followRun(
  { valuer, fingerprint, log }: GradedContext,
  cert: ReadCert,
  from: { runId: number; place: number } | null,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let at: RunPlace = STORED;
  const event = (name: string, data: string, isLast: boolean): ServerEvent => ({
    id: eventId(fingerprint, subjectOf(cert.cert), { ...at, isLast }),
    name,
    data,
  });
  try {
    for await (const { runId, place, name, data } of valuer.runs.watch(cert, { from, forMs: valuer.wholeMs, signal })) {
      const isLast = name === 'result';
      at = { runId, place, isLast };
      yield event(name, data, isLast);
      if (isLast) return;
    }
    if (!signal.aborted) yield event('result', JSON.stringify(await valuer.soFar(cert)), true);
  } catch (error) {
    log.error({ err: error, cert: cert.cert }, 'a stream failed');
    const detail = 'Something failed on our side; try again shortly.';
    yield event('failed', JSON.stringify({ error: 'unavailable', detail }), true);
  }
}
