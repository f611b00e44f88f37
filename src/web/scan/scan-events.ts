import { h, type VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Type } from 'typebox';
import { onlyPart } from '../../http/body/upload.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';
import { ProblemError } from '../../http/problem.ts';
import { isCrossOrigin, rejectCrossOrigin } from '../../http/same-site.ts';
import type { ServerEvent } from '../../http/sse.ts';
import { lastCloseMs } from '../../pricing/read/last-close.ts';
import type { WebContext } from '../context.ts';
import { LastClose } from '../price.tsx';
import { lookAtPhoto } from './scan-looks.tsx';

/**
 * The stream of the scan page's script: takes a photo, answers stage by stage, then with the result as a part of the page. It
 * counts against the budget of image searches, as the routes of the API do.
 */
export const scanEvents = endpoint({
  id: 'siteScan',
  summary: 'A photo of the scan page',
  upload: { part: 'file', maxParts: 1 },
  response: Type.String(),
  isStream: true,
  policy: 'image',
  maxAgeSeconds: 'no-store',
  isFree: ({ config }, { headers }) => isCrossOrigin(headers, config.baseUrl),
  async handle(context: WebContext, { upload, headers }) {
    rejectCrossOrigin(headers, context.config.baseUrl);
    const bytes = await onlyPart(upload());
    return { events: (signal) => eventsOf(context, bytes, signal) };
  },
}) as Endpoint;

/** A part of a page as the whole page would have it. */
async function htmlOf({ db }: WebContext, part: VNode): Promise<string> {
  return renderToString(h(LastClose.Provider, { value: await lastCloseMs(db) }, part));
}

async function* eventsOf(context: WebContext, bytes: Buffer, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  let id = 0;
  const event = (name: string, data: unknown): ServerEvent => ({ id: String(++id), name, data: JSON.stringify(data) });
  const looking = lookAtPhoto(context, bytes, signal);
  try {
    for (let step = await looking.next(); ; step = await looking.next()) {
      if (step.done) return yield event('result', { html: await htmlOf(context, step.value) });
      yield event('progress', step.value);
    }
  } catch (error) {
    const isProblem = error instanceof ProblemError;
    if (!isProblem) context.log.error({ err: error }, 'a scan failed');
    yield event('failed', { detail: isProblem ? error.message : 'Something failed on our side; try again shortly.' });
  } finally {
    await looking.return(null as never);
  }
}
