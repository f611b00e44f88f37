import { Type } from 'typebox';
import { type ReadCert, readCert } from '../catalog/cert.ts';
import { endpoint } from '../http/endpoint.ts';
import type { ServerEvent } from '../http/sse.ts';
import { storedLookups } from './certs/stored.ts';
import type { GradedContext } from './context.ts';
import { certParams, notCert } from './lookup.ts';
import { eventId, type RunPlace, readEventId } from './runs/event-id.ts';
import type { GradedLookup } from './shapes.ts';

const ABOUT = `Server-sent events, each with an id: \`progress\` {stage, message, status, done?, data?} for each stage of a live
valuation, then exactly one \`result\` (a GradedLookup) or \`failed\` {error, detail}. A comment at least every 3 s.`;

/** An answer from what is stored is a run of its own, with one event. */
const STORED: RunPlace = { runId: 0, place: 0, isLast: true };

type StreamContext = Pick<GradedContext, 'fingerprint'>;
/** What ids are bound to: a text that is not a cert stands for itself. */
type Bound = Pick<ReadCert, 'company' | 'key'>;

export const certStream = endpoint({
  id: 'gradedCertStream',
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
  maxAgeSeconds: 'no-store',
  isFree: (context: GradedContext, { params, headers }) =>
    placeOf(context, params.cert!, headers['last-event-id']) !== null,
  async handle(context: GradedContext, { params, headers, charge }) {
    const before = placeOf(context, params.cert, headers['last-event-id']);
    if (before?.isLast) return { events: null };
    const cert = readCert(params.cert);
    if (cert.kind === 'invalid') return { events: () => failed(context, params.cert) };
    if (before !== null) {
      const { runId, place } = before;
      if (await context.valuer.runs.knows(runId))
        return { events: (signal) => rest(context, cert, { runId, place: place + 1 }, signal) };
      // The run is forgotten: what follows is not the rest of anything.
      await charge();
    }
    const [stored] = await storedLookups(context, [cert]);
    if (context.valuer.mayFindMore(cert, stored!)) return { events: (signal) => rest(context, cert, null, signal) };
    return { events: () => only(context, cert, context.valuer.answerOf(cert, stored!)) };
  },
});

function boundOf(text: string): Bound {
  const cert = readCert(text);
  return cert.kind === 'invalid' ? ({ company: 'none', key: text } as unknown as Bound) : cert;
}

function placeOf({ fingerprint }: StreamContext, cert: string, lastEventId: unknown): RunPlace | null {
  return typeof lastEventId === 'string' ? readEventId(fingerprint, boundOf(cert), lastEventId) : null;
}

async function* only(
  { fingerprint }: StreamContext,
  cert: ReadCert,
  lookup: GradedLookup,
): AsyncGenerator<ServerEvent> {
  yield { id: eventId(fingerprint, cert, STORED), name: 'result', data: JSON.stringify(lookup) };
}

async function* failed({ fingerprint }: StreamContext, text: string): AsyncGenerator<ServerEvent> {
  const data = JSON.stringify({ error: 'invalid_cert', detail: notCert(text) });
  yield { id: eventId(fingerprint, boundOf(text), STORED), name: 'failed', data };
}

/** Follows a valuation, from a place of a run on; when the time of this request is over, ends with what is known so far. */
async function* rest(
  { valuer, fingerprint, log }: GradedContext,
  cert: ReadCert,
  from: { runId: number; place: number } | null,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const { runs, wholeMs, soFar } = valuer;
  let at: RunPlace = STORED;
  const last = (name: string, body: unknown): ServerEvent => {
    const id = eventId(fingerprint, cert, { ...at, isLast: true });
    return { id, name, data: JSON.stringify(body) };
  };
  const watch = runs.watch(cert, { from, forMs: wholeMs, signal });
  try {
    while (true) {
      const { done, value } = await watch.next();
      if (done && value === 'late') yield last('result', await soFar(cert));
      if (done) return;
      at = { runId: value.runId, place: value.place, isLast: value.name === 'result' };
      yield { id: eventId(fingerprint, cert, at), name: value.name, data: value.data };
    }
  } catch (error) {
    log.error({ err: error, cert: cert.cert }, 'a stream failed');
    const detail = 'Something failed on our side; try again shortly.';
    yield last('failed', { error: 'unavailable', detail });
  } finally {
    await watch.return('left');
  }
}
