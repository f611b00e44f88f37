import { Type } from 'typebox';
import type { Context } from '../http/context.ts';
import { type Endpoint, endpoint } from '../http/endpoint.ts';
import { ProblemError } from '../http/problem.ts';
import type { ServerEvent } from '../http/sse.ts';
import { onlyPart } from '../http/upload.ts';
import { lookAtCard } from './scan-card.ts';
import { scanResultHtml } from './scan-result.tsx';
import { siteOf } from './site.ts';

/**
 * `/scan/card/events`: what the scan page's script sends a photo to. Answers stage by stage, then with the result as the
 * page shows it. It takes from the budget of image searches, as the API's do.
 */
export const scanCardEvents: Endpoint = endpoint({
  id: 'siteScanCard',
  summary: 'The card in a photo, for the scan page',
  upload: { part: 'file', maxParts: 1 },
  response: Type.String(),
  isStream: true,
  policy: 'image',
  maxAgeSeconds: 'no-store',
  async handle(context, { upload }) {
    const bytes = await onlyPart(upload());
    return { events: (signal) => eventsOf(context, bytes, signal) };
  },
}) as Endpoint;

async function* eventsOf(context: Context, bytes: Buffer, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  let id = 0;
  const event = (name: string, data: unknown): ServerEvent => ({ id: String(++id), name, data: JSON.stringify(data) });
  try {
    const looking = lookAtCard(context, bytes, signal);
    for (let step = await looking.next(); ; step = await looking.next()) {
      if (!step.done) yield event('progress', step.value);
      else return yield event('result', { html: scanResultHtml(siteOf(context), step.value) });
    }
  } catch (error) {
    const isProblem = error instanceof ProblemError;
    if (!isProblem) context.log.error(error, 'a scan failed');
    yield event('failed', { detail: isProblem ? error.message : 'Something failed on our side; try again shortly.' });
  }
}
