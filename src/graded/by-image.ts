import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { onlyPart } from '../http/body/upload.ts';
import { endpoint } from '../http/endpoint.ts';
import { ProblemError } from '../http/problem.ts';
import type { ServerEvent } from '../http/sse.ts';
import { inWords } from '../search/photo/photo-search.ts';
import type { GradedContext } from './context.ts';
import { eventId, readEventId } from './runs/event-id.ts';
import { type SlabOutcome, valueSlab } from './slab/by-image-steps.ts';
import { SLAB_EVENTS } from './stream-shapes.ts';

const ABOUT = `Server-sent events: \`progress\` (data: {stage, message, status, done?, data?}) while the slab is read and
valued, then exactly one \`result\` (data: a GradedLookup with \`evidence\`) or \`failed\` (data: {error, detail}).`;

/** Photos are decoded whole before the stream opens, made this small: enough to see that they can be. */
const CHECKED_SIDE_PX = 100;

export const gradedByImage = endpoint({
  id: 'gradedByImage',
  summary: 'The slab in a photo: card, grade and price',
  headers: Type.Object({
    'last-event-id': Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'Id of the last event that was seen, with the same photo: it is read again, which counts as another request, and only the rest is sent; 204 when there is no rest.',
      }),
    ),
  }),
  upload: { part: 'file', maxParts: 1 },
  response: Type.String({ description: ABOUT.replace('\n', ' ') }),
  isStream: true,
  events: SLAB_EVENTS,
  policy: 'image',
  maxAgeSeconds: 'no-store',
  async handle(context: GradedContext, { upload, headers, disconnectSignal }) {
    const bytes = await onlyPart(upload());
    const photo = `photo ${createHash('sha256').update(bytes).digest('base64url')}`;
    const lastId = headers['last-event-id'];
    const seen = typeof lastId === 'string' ? readEventId(context.fingerprint, photo, lastId) : null;
    if (seen?.isLast) return { events: null };
    await context.vision
      .run('decode', { bytes, maxSidePx: CHECKED_SIDE_PX }, { signal: disconnectSignal() })
      .catch(inWords);
    return { events: (signal) => rest(eventsOf(context, bytes, photo, signal), seen?.place ?? 0) };
  },
});

/** The events behind a place; the last one is always among them, also where reading the photo again took fewer steps. */
async function* rest(events: AsyncGenerator<ServerEvent>, place: number): AsyncGenerator<ServerEvent> {
  let at = 0;
  for await (const event of events) if (++at > place || event.name !== 'progress') yield event;
}

/** Numbers the events of a photo, to which their ids are bound; a fault of ours is one last event like any other end. */
async function* eventsOf(
  context: GradedContext,
  bytes: Buffer,
  photo: string,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let place = 0;
  const event = (name: string, body: unknown): ServerEvent => {
    const id = eventId(context.fingerprint, photo, { runId: 0, place: ++place, isLast: name !== 'progress' });
    return { id, name, data: JSON.stringify(body) };
  };
  let outcome: SlabOutcome | undefined;
  const steps = async function* () {
    outcome = yield* valueSlab(context, bytes, signal);
  };
  try {
    for await (const progress of steps()) yield event('progress', progress);
    const end: SlabOutcome = outcome!;
    yield 'lookup' in end
      ? event('result', end.lookup)
      : event('failed', { error: 'image_unreadable', detail: end.failed });
  } catch (error) {
    if (signal.aborted) return;
    const isBusy = error instanceof ProblemError && error.code === 'unavailable';
    if (!isBusy) context.log.error({ err: error }, 'a photo of a slab failed');
    const detail = isBusy ? error.message : 'Something failed on our side; try again shortly.';
    yield event('failed', { error: 'unavailable', detail });
  }
}
