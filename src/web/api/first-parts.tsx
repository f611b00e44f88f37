import type { Config } from '../../config.ts';
import { PROBLEMS, type ProblemCode, problemPath } from '../../http/problem.ts';
import { count } from '../format.ts';
import { Table, type TableColumn } from '../table.tsx';
import { Call } from './call.tsx';

export const FIRST_PARTS = [
  { id: 'begin', title: 'Getting started' },
  { id: 'authentication', title: 'Authentication' },
  { id: 'limits', title: 'Limits' },
  { id: 'errors', title: 'Errors' },
] as const;

type FirstPartsOf = { baseUrl: string; limits: Config['limits']; query: string };

/** What holds for all routes. */
export function FirstParts({ baseUrl, limits, query }: FirstPartsOf) {
  return (
    <>
      <section aria-labelledby="begin" class="prose">
        <h2 id="begin">Getting started</h2>
        <p>
          Reading needs no key. Money is in whole US cents, times are ISO 8601 in UTC, percentages are plain percents. A
          missing price is <code>null</code>, never 0. The whole contract is an{' '}
          <a href="/v1/openapi.json">OpenAPI 3.1</a> document, or <a href="/v1/openapi-3.2.json">3.2</a> with the events
          of streams. Changes are listed in the <a href="/changelog">changelog</a> and its{' '}
          <a href="/changelog.xml">feed</a>.
        </p>
        <Call id="begin" what="the first call" text={`curl '${baseUrl}/v1/search?q=${encodeURIComponent(query)}'`} />
      </section>
      <section aria-labelledby="authentication" class="prose">
        <h2 id="authentication">Authentication</h2>
        <p>
          A partner key raises the limits; it changes no number. Send both headers, or neither:{' '}
          <a href="/partners">apply for a key</a>. Keep the secret on your server; browser requests with it are blocked.
        </p>
        <Call
          id="authentication"
          what="the call with a key"
          text={`curl '${baseUrl}/v1/usage' \\\n  -H 'X-Api-Key: mk_…' \\\n  -H 'X-Api-Secret: mks_…'`}
        />
      </section>
      <Limits limits={limits} />
      <Errors />
    </>
  );
}

type CountedLimit = { name: string; what: string; partner: number; public: number };

const LIMIT_COLUMNS: readonly TableColumn<CountedLimit>[] = [
  { head: 'Budget', isName: true, cell: ({ name }) => name },
  { head: 'Counts', cell: ({ what }) => what },
  { head: 'Without a key', classes: 'num', cell: (budget) => count(budget.public) },
  { head: 'With a key', classes: 'num', cell: ({ partner }) => count(partner) },
];

function Limits({ limits }: { limits: Config['limits'] }) {
  return (
    <section aria-labelledby="limits" class="prose">
      <h2 id="limits">Limits</h2>
      {limits === null ? (
        <p>This installation does not limit requests.</p>
      ) : (
        <>
          <p>
            Without a key an address has a budget, with one the key. Each response reports what is left in{' '}
            <code>RateLimit</code> and <code>X-RateLimit-…</code>; <a href="/v1/usage">/v1/usage</a> is free. Beyond a
            limit the answer is 429 with <code>Retry-After</code>.
          </p>
          <Table
            label="Budgets"
            columns={LIMIT_COLUMNS}
            rows={[
              { name: 'daily', what: 'requests a UTC day', ...limits.daily },
              { name: 'image', what: 'photos a UTC day', ...limits.image },
              { name: 'intake', what: 'forms a UTC day', ...limits.intake },
              { name: 'burst', what: 'requests a second', ...limits.burstPerSecond },
            ]}
          />
        </>
      )}
    </section>
  );
}

type Status = { status: number; codes: ProblemCode[] };

const ERROR_COLUMNS: readonly TableColumn<Status>[] = [
  { head: 'Status', isName: true, cell: ({ status }) => <span id={`error-${status}`}>{status}</span> },
  {
    head: 'Error and meaning',
    cell: ({ codes }) => (
      <ul class="plain">
        {codes.map((code) => (
          <li key={code}>
            <a href={problemPath(code)}>
              <code>{code}</code>
            </a>{' '}
            {PROBLEMS[code].title}
          </li>
        ))}
      </ul>
    ),
  },
];

function Errors() {
  const codes = Object.keys(PROBLEMS) as ProblemCode[];
  const statuses = [...new Set(codes.map((code) => PROBLEMS[code].status))].sort((a, b) => a - b);
  return (
    <section aria-labelledby="errors" class="prose">
      <h2 id="errors">Errors</h2>
      <p>
        Errors are problem documents (RFC 9457): <code>error</code> is a word to branch on, <code>detail</code> a
        sentence to act on, <code>requestId</code> what finds it in the log. Any route may answer 400, 401, 429, 500 or
        503; its own errors are listed with it.
      </p>
      <Table
        columns={ERROR_COLUMNS}
        rows={statuses.map((status) => ({ status, codes: codes.filter((code) => PROBLEMS[code].status === status) }))}
      />
    </section>
  );
}
