import { Type } from 'typebox';
import { onlyPart } from '../http/body/upload.ts';
import { endpoint } from '../http/endpoint.ts';
import { ProblemError } from '../http/problem.ts';
import type { ServerEvent } from '../http/sse.ts';
import { inWords } from '../search/photo/photo-search.ts';
import type { GradedContext } from './context.ts';
import { type SlabOutcome, valueSlab } from './slab/by-image-steps.ts';

const ABOUT = `Server-sent events: \`progress\` (data: {stage, message, status, done?, data?}) while the slab is read and
valued, then exactly one \`result\` (data: a GradedLookup with \`evidence\`) or \`failed\` (data: {error, detail}).`;

/** Photos are decoded whole before the stream opens, made this small: enough to see that they can be. */
const CHECKED_SIDE_PX = 100;

export const gradedByImage = endpoint({
  id: 'gradedByImage',
  summary: 'The slab in a photo: card, grade and price',
  upload: { part: 'file', maxParts: 1 },
  response: Type.String({ description: ABOUT.replace('\n', ' ') }),
  isStream: true,
  policy: 'image',
  maxAgeSeconds: 'no-store',
  async handle(context: GradedContext, { upload, disconnectSignal }) {
    const bytes = await onlyPart(upload());
    await context.vision
      .run('decode', { bytes, maxSidePx: CHECKED_SIDE_PX }, { signal: disconnectSignal() })
      .catch(inWords);
    return { events: (signal) => numberedEvents(context, bytes, signal) };
  },
});

/** Numbers the events; a fault of ours is one last event like any other end. */
async function* numberedEvents(
  context: GradedContext,
  bytes: Buffer,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let place = 0;
  const event = (name: string, body: unknown): ServerEvent => ({
    id: `photo-${++place}`,
    name,
    data: JSON.stringify(body),
  });
  const steps = valueSlab(context, bytes, signal);
  try {
    while (true) {
      const { done, value } = await steps.next();
      if (!done) yield event('progress', value);
      else {
        yield lastOf(value, event);
        return;
      }
    }
  } catch (error) {
    if (signal.aborted) return;
    const isBusy = error instanceof ProblemError && error.code === 'unavailable';
    if (!isBusy) context.log.error({ err: error }, 'a photo of a slab failed');
    const detail = isBusy ? error.message : 'Something failed on our side; try again shortly.';
    yield event('failed', { error: 'unavailable', detail });
  } finally {
    await steps.return({ failed: '' });
  }
}

function lastOf(outcome: SlabOutcome, event: (name: string, body: unknown) => ServerEvent): ServerEvent {
  return 'lookup' in outcome
    ? event('result', outcome.lookup)
    : event('failed', { error: 'image_unreadable', detail: outcome.failed });
}
