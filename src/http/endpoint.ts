import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { type Answer, type DownloadType, readyAnswer, sendReady } from './answer.ts';
import { admitUpload, readUpload, type Upload, type UploadRules } from './body/upload.ts';
import { disconnectSignalOf } from './connection/shutdown.ts';
import type { Core } from './context.ts';
import { CORS_HEADERS, PREFLIGHT_HEADERS } from './cors.ts';
import { ANYBODY, type Caller, type Pass, type PolicyName } from './gate.ts';
import { readNumbers } from './parameters.ts';
import { ProblemError } from './problem.ts';
import { securityHeaders } from './security-headers.ts';
import { type EventAnswer, sendEvents } from './sse.ts';
import { planFile, type StreamedFile, sendFile } from './streamed-file.ts';

type Input<Params extends TObject, Query extends TObject, Body extends TObject> = {
  params: Static<Params>;
  query: Static<Query>;
  body: Static<Body>;
  /** Reads the upload, where the endpoint takes one; `onlyPart` makes bytes of an upload of one part. */
  upload(): Upload;
  caller: Caller;
  headers: IncomingHttpHeaders;
  requestId: string;
  /** Aborts when the client disconnects, or the server shuts down (for an upload: is about to end): answer with what there is. */
  disconnectSignal(): AbortSignal;
  /** A HEAD request: answer from what is there, start nothing. */
  isHead: boolean;
  /** Takes a unit for a request that was let in free. Throws `rate_limited`. */
  charge(): Promise<void>;
  /** The request changed nothing: it takes no unit, and counts as a failed try. */
  waive(): void;
};

/** One route's schema, limits and handler: validator, types and OpenAPI come from here. */
export type Endpoint<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TObject = TObject,
  C extends Core = Core,
> = {
  /** Name in the OpenAPI document, unique over all endpoints. */
  id: string;
  summary: string;
  params?: Params;
  query?: Query;
  /** Headers of its own, by lower-case name; what else there is passes. */
  headers?: TObject;
  /** A JSON body: the endpoint is then a POST. What does not fit is 422 with pointers. */
  body?: Body;
  /** Reads a body of text/csv into what `body` describes; without it bodies are JSON. Throws the 400 problem. */
  readCsv?(text: string): unknown;
  /** The most bytes of its body, where they are not those of every route. */
  maxBodyBytes?: number;
  /** How many lines a body has: the request takes a unit of its budget for each 50 of them, or part of 50. */
  linesOf?(body: Static<Body>): number;
  /** The status of a body that does not fit, where it is not 422. */
  unfitBody?: 400;
  /** A photo or several, as multipart/form-data: the endpoint is then a POST. */
  upload?: UploadRules;
  /** Where it reads: a GET from replicas unless it says otherwise, a POST from the primary. */
  reads?: 'replica' | 'primary';
  /** The status of success, where it is not 200. */
  success?: 201;
  response: TSchema;
  /** Its answer is a file of this type, sent with digests. */
  download?: DownloadType;
  /** The file is made or read while it is sent; `parts`: of one on the disk, Range names a part. */
  isStreamedFile?: true | 'parts';
  /** It answers with server-sent events. */
  isStream?: true;
  /** What each of them has as `data`, by name; JSON. */
  events?: Readonly<Record<string, TSchema>>;
  /** The budget it takes from; `daily` by default. */
  policy?: PolicyName;
  /** Requests that take from no budget; called before the gate, with values that are not validated yet. */
  isFree?(context: C, request: { params: Record<string, string>; headers: IncomingHttpHeaders }): boolean;
  /** How long a browser may keep the answer; shared caches may for five minutes. `no-store`: nobody may. */
  maxAgeSeconds: number | 'no-store';
  /** Concurrent requests for one target are answered each by itself: the answer may depend on the method, or wait long. */
  answersEach?: true;
  /** Statuses in addition to 200 and those of every route. */
  statuses?: readonly (403 | 404 | 410 | 503)[];
  /** Throws for a caller without access. An answer that is not for all callers has to be `noStore`. */
  admit?(context: C, input: Pick<Input<Params, Query, Body>, 'query' | 'caller'>): void;
  handle(context: C, input: Input<Params, Query, Body>): Promise<Answer | EventAnswer | StreamedFile> | Answer;
};

/** Declares an endpoint; it exists to infer the types of `params` and `query` in the handler. */
export function endpoint<Params extends TObject, Query extends TObject, Body extends TObject, C extends Core = Core>(
  definition: Endpoint<Params, Query, Body, C>,
): Endpoint<Params, Query, Body, C> {
  return definition;
}

export type Mounting<C extends Core = Core> = {
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: handlers of a table of endpoints have different inputs
  endpoint: Endpoint<any, any, any, C>;
  /** Sent with every answer of this mounting: `Deprecation`, `Sunset` and `Link` on legacy aliases. */
  extraHeaders?: Record<string, string>;
};

/** Lines of a list that cost a unit. */
export const LINES_PER_UNIT = 50;

/** Whether its statements only read, and not what the caller has just written: replicas may answer them. */
export function readsOnly({ reads, body, upload }: Endpoint): boolean {
  return (reads ?? (body || upload ? 'primary' : 'replica')) === 'replica';
}

/** Methods that a route answers, if only with 405; OPTIONS has an answer of its own. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Mounts an endpoint: GET with HEAD, or POST where it has a body or an upload; OPTIONS; and a 405 for the other methods.
 * `forUpload` makes the context of one request with an upload.
 */
export function mount<C extends Core>(
  app: FastifyInstance,
  context: C,
  mounting: Mounting<C>,
  forUpload: (context: C, pass: Pass | undefined) => C,
): void {
  const { path, endpoint, extraHeaders = {} } = mounting;
  const { maxAgeSeconds, policy = 'daily', success = 200, download, upload: rules } = endpoint;
  const methods = endpoint.body || rules ? ['POST'] : ['GET', 'HEAD'];
  const headers = { ...securityHeaders(context.config.baseUrl), ...extraHeaders };
  const { shutdownSignal } = app;
  const imageBase = context.config.baseUrl;
  const kind = { status: success, policy, maxAgeSeconds, extraHeaders: headers, download, imageBase };
  app.route({
    method: methods,
    url: path,
    ...(endpoint.maxBodyBytes ? { bodyLimit: endpoint.maxBodyBytes } : {}),
    config: {
      policy,
      upload: rules,
      unfitBody: endpoint.unfitBody,
      readCsv: endpoint.readCsv,
      isFree: ({ params, headers }: FastifyRequest) =>
        endpoint.isFree?.(context, { params: params as Record<string, string>, headers }),
    },
    schema: {
      ...(endpoint.params ? { params: endpoint.params } : {}),
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
      ...(endpoint.headers ? { headers: endpoint.headers } : {}),
      ...(endpoint.body ? { body: endpoint.body } : {}),
    },
    ...(rules ? { onRequest: async ({ raw }) => admitUpload(raw, rules) } : {}),
    preValidation: (request, _reply, next) => {
      if (endpoint.query) readNumbers(request.query as Record<string, unknown>, endpoint.query);
      next();
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const { params, query, body, headers, pass } = request;
      const caller = pass?.caller ?? ANYBODY;
      // What arrives while the server stops is still worked on.
      const stopSignal = rules ? context.uploadRoom.closed : shutdownSignal;
      const disconnectSignal = () => disconnectSignalOf(reply.raw, stopSignal);
      const charge = async () => {
        request.pass = await context.gate.enter(request.raw, policy);
      };
      const upload = () => readUpload(request.raw, reply.raw, rules!, context.uploadRoom);
      const waive = () => pass?.waive();
      const sent = { params, query, body, headers, caller, requestId: request.id, isHead: request.method === 'HEAD' };
      endpoint.admit?.(context, { query, caller });
      if (endpoint.linesOf) await pass?.takeMore(Math.ceil(endpoint.linesOf(body) / LINES_PER_UNIT) - 1);
      const world = rules ? forUpload(context, pass) : context;
      const handle = async () => endpoint.handle(world, { ...sent, upload, disconnectSignal, charge, waive });
      const make = async () => {
        const answer = (await handle()) as Answer;
        return { answer: readyAnswer(answer, kind), keep: !answer.noStore };
      };
      if (endpoint.isStream) {
        const events = (await handle()) as EventAnswer;
        const options = { headers: kind.extraHeaders, requestId: request.id, shutdownSignal, imageBase };
        reply.hijack();
        await sendEvents(request.raw, reply.raw, events, { ...options, pass: request.pass });
        return reply;
      }
      if (endpoint.isStreamedFile) {
        const plan = planFile(request.raw, (await handle()) as StreamedFile);
        const options = { type: download!, maxAgeSeconds: maxAgeSeconds as number, headers: kind.extraHeaders };
        reply.hijack();
        await sendFile(request.raw, reply.raw, plan, { ...options, pass: request.pass, requestId: request.id }).catch(
          (error: unknown) => context.log.warn({ error, url: request.url }, 'file not sent'),
        );
        return reply;
      }
      const isShared = !endpoint.answersEach;
      const isCached = maxAgeSeconds !== 'no-store';
      const answer = isCached ? await context.cache.make(request.raw.url!, make, { isShared }) : (await make()).answer;
      reply.hijack();
      sendReady(request.raw, reply.raw, answer, { pass: request.pass, requestId: request.id });
      return reply;
    },
  });
  app.route({
    method: 'OPTIONS',
    url: path,
    // Before a body is read, as below.
    onRequest: async (_request, reply) =>
      reply
        .code(204)
        .headers({ ...CORS_HEADERS, ...PREFLIGHT_HEADERS })
        .send(),
    handler: () => {},
  });
  app.route({
    method: METHODS.filter((method) => !methods.includes(method)),
    url: path,
    config: { policy },
    // Before the body is read: its content does not matter.
    onRequest: () => {
      throw new ProblemError('method_not_allowed', `Use ${methods.join(' or ')} on ${path}.`, {
        headers: { allow: [...methods, 'OPTIONS'].join(', ') },
      });
    },
    handler: () => {},
  });
}
