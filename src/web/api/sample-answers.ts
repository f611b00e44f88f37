import { Default } from 'typebox/value';
import { readyAnswer } from '../../http/answer.ts';
import type { Endpoint, Mounting } from '../../http/endpoint.ts';
import { ANYBODY } from '../../http/gate.ts';
import { PROBLEMS, ProblemError } from '../../http/problem.ts';
import { within } from '../../http/within.ts';
import { recentTradesOf } from '../../items/trades/recent-trades.ts';
import type { WebContext } from '../context.ts';

/** Values of parameters by name, of things that this installation has. */
type SampleValues = Readonly<Record<string, string>>;

/** Answers by path, shortened, with the values that they were called with; not whole while more are to come. */
export type Samples = { values: SampleValues; answers: Map<string, string>; isWhole: boolean };

const KEPT_MS = 3_600_000;
/** Samples without a sold card, or without a route that failed or took too long, are made again after this. */
const KEPT_IN_PART_MS = 60_000;
const ONE_MS = 1000;
const ALL_MS = 15_000;
/** A page waits so long for the answers of the first visit; then it shows examples in place of those to come. */
const PATIENCE_MS = 400;

/** Where no card has been sold yet, and for what is not looked for. */
const DEFAULTS: SampleValues = {
  game: 'pokemon',
  set: 'base-base1',
  item: '4-charizard-psa-10-5e216037',
  id: '5e216037-ae8b-478f-b53c-ee53961048cd',
  ids: '5e216037-ae8b-478f-b53c-ee53961048cd',
  rid: 'your-id',
  q: 'charizard',
  kind: 'character',
  cert: 'PSA12345678',
  certs: 'PSA12345678',
  grade: 'psa-10',
  day: '2026-06-29',
  date: '2026-06-01',
};

/** Samples of a server, and until when they are shown. */
export type KeptSamples = { untilMs: number; samples: Samples; made: Promise<void> };

/** Real answers of the routes that only read, made once an hour by calling their handlers; those that are there by now. */
export async function sampleAnswers(context: WebContext, routes: readonly Mounting<WebContext>[]): Promise<Samples> {
  const nowMs = context.clock();
  const known = context.samples.kept;
  const kept = known !== null && nowMs < known.untilMs ? known : startSamples(context, routes, nowMs);
  context.samples.kept = kept;
  await within(PATIENCE_MS, kept.made);
  return kept.samples;
}

function startSamples(context: WebContext, routes: readonly Mounting<WebContext>[], nowMs: number): KeptSamples {
  const samples: Samples = { values: DEFAULTS, answers: new Map(), isWhole: false };
  const kept: KeptSamples = { untilMs: nowMs + KEPT_MS, samples, made: Promise.resolve() };
  kept.made = fill(samples, context, routes)
    .catch((error) => {
      context.log.error(error, 'the answers of the API reference cannot be made');
      return false;
    })
    .then((isWhole) => {
      samples.isWhole = isWhole;
      if (!isWhole) kept.untilMs = nowMs + KEPT_IN_PART_MS;
    });
  return kept;
}

/** True when there is a sold card, and every route that can be called answered in time. */
async function fill(samples: Samples, context: WebContext, routes: readonly Mounting<WebContext>[]): Promise<boolean> {
  const values = await valuesOf(context, routes);
  samples.values = values;
  let isWhole = values !== DEFAULTS;
  const endMs = performance.now() + ALL_MS;
  // One at a time: visitors come first.
  for (const { path, endpoint, extraHeaders } of routes) {
    if (performance.now() > endMs) return false;
    if (extraHeaders !== undefined || !onlyReads(endpoint)) continue;
    const text = await within(ONE_MS, answerOf(context, endpoint, values)).catch(noAnswerFor);
    if (text === null) isWhole = false;
    else if (text !== NO_ANSWER) samples.answers.set(path.replace(/:(\w+)/g, '{$1}'), text);
  }
  return isWhole;
}

/** Of a route that this installation has nothing for. */
const NO_ANSWER = '';

/** Null for what may be answered later, such as a search whose index is being built. */
function noAnswerFor(error: unknown): string | null {
  return error instanceof ProblemError && PROBLEMS[error.code].status < 500 ? NO_ANSWER : null;
}

/** Not a photo, a form, a stream, a file that is made while it is sent, or the document that the reference is drawn from. */
function onlyReads({ id, body, upload, isStream, isStreamedFile }: Endpoint): boolean {
  return !body && !upload && !isStream && !isStreamedFile && id !== 'openapi';
}

async function answerOf(context: WebContext, endpoint: Endpoint, values: SampleValues): Promise<string> {
  const { params, query, policy = 'daily', maxAgeSeconds, download } = endpoint;
  const required = new Set<string>((query?.required as readonly string[] | undefined) ?? []);
  const asked = Object.keys(query?.properties ?? {}).filter((name) => isShown(name, required.has(name)));
  const pick = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, values[name]]));
  const answer = await endpoint.handle(context, {
    params: pick(Object.keys(params?.properties ?? {})),
    query: query ? (Default(query, pick(asked)) as Record<string, unknown>) : {},
    body: {},
    headers: {},
    caller: ANYBODY,
    requestId: 'sample',
    // As HEAD: from what is stored, without a call to a grader or a market.
    isHead: true,
    upload: () => Promise.reject(new Error('a sample has no upload')) as never,
    disconnectSignal: () => AbortSignal.timeout(ONE_MS),
    charge: () => Promise.resolve(),
    waive() {},
  });
  if (!('body' in answer)) return NO_ANSWER;
  const kind = { status: 200, policy, maxAgeSeconds, extraHeaders: {}, download, imageBase: context.config.baseUrl };
  const text = readyAnswer(answer, kind).plain.body.toString();
  return download === 'text/csv' ? firstLines(text) : JSON.stringify(shortened(JSON.parse(text)), null, 2);
}

/** Parameters that a useful call has, also where the route does without. */
const USEFUL: readonly string[] = ['ids', 'q', 'certs', 'kind'];

/** The query parameters of a call that is shown. */
export function isShown(name: string, isRequired: boolean): boolean {
  return isRequired || USEFUL.includes(name);
}

/** Of each list the first entry and how many follow. */
export function shortened(value: unknown): unknown {
  if (Array.isArray(value))
    return value.length <= 1 ? value.map(shortened) : [shortened(value[0]), `… ${value.length - 1} more`];
  if (typeof value === 'string' && value.length > 160) return `${value.slice(0, 120)}…`;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}

function firstLines(text: string): string {
  const lines = text.trimEnd().split('\n');
  return lines.length <= 4 ? lines.join('\n') : [...lines.slice(0, 3), `… ${lines.length - 3} more`].join('\n');
}

/** Of the card that was sold last. */
async function valuesOf(context: WebContext, routes: readonly Mounting<WebContext>[]): Promise<SampleValues> {
  const [sale] = (await recentTradesOf(context, 1)).body.trades;
  if (sale === undefined) return DEFAULTS;
  const [game, set, item] = sale.card.href.split('/').slice(2) as [string, string, string];
  const named = { ...DEFAULTS, game, set, item };
  const detail = routes.find(({ path }) => path === '/v1/items/:game/:set/:item')!.endpoint;
  const text = await answerOf(context, detail, named).catch(() => NO_ANSWER);
  if (text === NO_ANSWER) return named;
  const card = JSON.parse(text) as { id: string; name: string; receiptUrl: string | null };
  const [, , , grade, day] = card.receiptUrl === null ? [] : new URL(card.receiptUrl).pathname.split('/').slice(1);
  return {
    ...named,
    id: card.id,
    ids: card.id,
    q: card.name.toLowerCase(),
    ...(grade && day ? { grade, day, date: `${day.slice(0, 7)}-01` } : {}),
  };
}
