import { type Calls, ROUTES, type Route } from './api.ts';
import { eventsOf } from './events.ts';
import { type Quota, type Sending, send } from './send.ts';

export type ClientOptions = {
  /** Of the installation: `https://prices.example`. */
  baseUrl: string;
  /** Of a partner; both or neither. */
  apiKey?: string;
  apiSecret?: string;
  /** How often a request that failed is repeated; 3 by default. */
  retries?: number;
  /** The longest wait before a repetition, in seconds; 30 by default. */
  patience?: number;
  fetch?: typeof fetch;
};

export type CallOptions = { signal?: AbortSignal };

/** The parameters of a call, those of its path and of its query, and its body. */
type Arguments<Id extends keyof Calls> = Calls[Id]['params'] &
  (Calls[Id]['body'] extends undefined ? object : { body: Calls[Id]['body'] });

type IsOptional<Id extends keyof Calls> = object extends Arguments<Id> ? true : false;
type Answer<Id extends keyof Calls> = Calls[Id]['answer'] extends AsyncGenerator
  ? Calls[Id]['answer']
  : Promise<Calls[Id]['answer']>;

/** A function for each operation of the API, by its id. */
export type Client = {
  [Id in keyof Calls]: IsOptional<Id> extends true
    ? (params?: Arguments<Id>, options?: CallOptions) => Answer<Id>
    : (params: Arguments<Id>, options?: CallOptions) => Answer<Id>;
} & {
  /** What the last answer said of the budget; null before the first. */
  quota(): Quota | null;
};

/** Opens a client of an installation. Calls throw `MintmarkProblem` for an answer that is not a success. */
export function openClient(options: ClientOptions): Client {
  const { baseUrl, apiKey, apiSecret, retries = 3, patience = 30 } = options;
  let quota: Quota | null = null;
  const sending: Sending = {
    fetch: options.fetch ?? ((...request) => fetch(...request)),
    retries,
    patience,
    onQuota(now) {
      quota = now;
    },
  };
  const keys: Record<string, string> = {};
  if (apiKey !== undefined) keys['x-api-key'] = apiKey;
  if (apiSecret !== undefined) keys['x-api-secret'] = apiSecret;
  const calls = Object.entries(ROUTES).map(([id, route]) => [
    id,
    (params: Params = {}, { signal }: CallOptions = {}) => {
      const { url, body } = addressOf(baseUrl, route, params);
      const { content, headers } = bodyOf(route, body);
      const outgoing = {
        url,
        init: { method: route.method, headers: { ...keys, ...headers }, body: content, signal },
      };
      return route.answer === 'events' ? eventsOf(sending, outgoing) : answerOf(route, send(sending, outgoing));
    },
  ]);
  return Object.assign(Object.fromEntries(calls), { quota: () => quota }) as Client;
}

type Params = Record<string, unknown>;

/** Fills in a path; what is not in it goes into the query, lists as one parameter for each. */
function addressOf(baseUrl: string, { path, body: form }: Route, params: Params): { url: URL; body: unknown } {
  const rest = { ...params };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const url = new URL(baseUrl.replace(/\/$/, '') + filled);
  const { body, ...query } = rest;
  for (const [name, value] of Object.entries(form === undefined ? rest : query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) url.searchParams.append(name, String(one));
  return { url, body };
}

type Body = { content?: BodyInit; headers: Record<string, string> };

/** What would be done twice carries a key, by which the service recognizes its repetition. */
function bodyOf({ body: form, creates }: Route, body: unknown): Body {
  if (form === undefined) return { headers: {} };
  if (form === 'form') return { content: formOf(body as Params), headers: {} };
  const headers = { 'content-type': 'application/json', ...(creates && { 'idempotency-key': crypto.randomUUID() }) };
  return { content: JSON.stringify(body), headers };
}

function formOf(fields: Params): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value])
      form.append(name, one instanceof Blob ? one : String(one));
  return form;
}

async function answerOf({ answer }: Route, sent: Promise<Response>): Promise<unknown> {
  const response = await sent;
  if (answer === 'bytes') return response;
  return answer === 'json' ? await response.json() : await response.text();
}
