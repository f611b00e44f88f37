import type { TObject } from 'typebox';
import type { Mounting } from '../../http/endpoint.ts';
import { PROBLEMS, type ProblemCode, problemPath } from '../../http/problem.ts';
import { Chips } from '../chips.tsx';
import { Wide } from '../layout.tsx';
import type { Page } from '../page.ts';
import { Table, type TableColumn } from '../table.tsx';
import { type Site, siteOf } from './site.ts';

const DESCRIPTION = 'Every endpoint, with parameters, limits and errors.';

/** `/api`: the reference for people; programs read the OpenAPI document. */
export function apiReference(routes: () => readonly Mounting[]): Page {
  return {
    path: '/api',
    maxAgeSeconds: 3600,
    answer(context) {
      const site = siteOf(context);
      return {
        title: 'API reference',
        description: DESCRIPTION,
        path: '/api',
        main: <Reference site={site} groups={groupsOf(routes())} limits={context.config.limits} />,
      };
    },
  };
}

type Group = { name: string; routes: Mounting[] };

/** By the first word behind /v1, in the order of the table; aliases outside the contract are left out. */
function groupsOf(routes: readonly Mounting[]): Group[] {
  const groups = new Map<string, Mounting[]>();
  for (const route of routes) {
    if (route.extraHeaders?.deprecation !== undefined) continue;
    const name = route.path.split('/').filter((part) => part !== 'v1')[1] ?? 'service';
    groups.set(name, [...(groups.get(name) ?? []), route]);
  }
  return [...groups].map(([name, all]) => ({ name, routes: all }));
}

type ReferenceParts = { site: Site; groups: Group[]; limits: { daily: { partner: number; public: number } } | null };

function Reference({ site, groups, limits }: ReferenceParts) {
  return (
    <div class="wrap document">
      <div class="page-head prose">
        <h1>API reference</h1>
        <p class="lead">{DESCRIPTION}</p>
        <p>
          Programs read the whole contract as <a href="/v1/openapi.json">OpenAPI 3.1</a>. Money is in whole US cents,
          times are ISO 8601 in UTC, percentages are plain percents. A missing price is <code>null</code>, never 0.
        </p>
        <nav aria-label="Groups of routes">
          <Chips links={[...groups, { name: 'errors' }].map(({ name }) => ({ href: `#${name}`, name }))} />
        </nav>
      </div>
      <section aria-labelledby="begin" class="prose">
        <h2 id="begin">Begin</h2>
        <p>
          No key needed to read.{' '}
          {limits && (
            <>
              Without one an address has {limits.daily.public} requests a UTC day, with one{' '}
              {limits.daily.partner.toLocaleString('en')}.{' '}
            </>
          )}
          Each response reports your remaining quota in <code>RateLimit</code> and <code>X-RateLimit-…</code>;{' '}
          <a href="/v1/usage">/v1/usage</a> is free. <a href="/partners">Apply for a key</a>.
        </p>
        <pre tabIndex={0}>
          <code>{`curl ${site.baseUrl}/v1/search?q=charizard\n\ncurl ${site.baseUrl}/v1/graded/12345678 \\\n  -H 'X-Api-Key: mk_…' -H 'X-Api-Secret: mks_…'`}</code>
        </pre>
        <p>Keep the secret on your server; browser requests with it are blocked.</p>
      </section>
      {groups.map(({ name, routes }) => (
        <section key={name} aria-labelledby={name}>
          <h2 id={name}>{name}</h2>
          {routes.map((route) => (
            <Route key={route.path} route={route} />
          ))}
        </section>
      ))}
      <Errors />
    </div>
  );
}

function Route({ route: { path, endpoint } }: { route: Mounting }) {
  const shown = path.replace(/:(\w+)/g, '{$1}');
  const { params, query, headers, body } = endpoint;
  const parameters = [
    ...rowsOf(params, 'path'),
    ...rowsOf(query, 'query'),
    ...rowsOf(headers, 'header'),
    ...rowsOf(body, 'body'),
  ];
  return (
    <article class="route">
      <h3>
        <span class="route-method">{endpoint.body || endpoint.upload ? 'POST' : 'GET'}</span> <code>{shown}</code>
      </h3>
      <p>{endpoint.summary}</p>
      {parameters.length > 0 && (
        <Wide label={`Parameters of ${shown}`}>
          <Table classes={null} columns={PARAMETER_COLUMNS} rows={parameters} />
        </Wide>
      )}
    </article>
  );
}

type Parameter = { name: string; place: string; isRequired: boolean; description: string };

const PARAMETER_COLUMNS: readonly TableColumn<Parameter>[] = [
  { head: 'Parameter', cell: ({ name }) => <code>{name}</code> },
  { head: 'In', cell: ({ place, isRequired }) => (isRequired && place !== 'path' ? `${place}, required` : place) },
  { head: 'Meaning', cell: ({ description }) => description },
];

function rowsOf(schema: TObject | undefined, place: string): Parameter[] {
  const required = new Set<string>((schema?.required as readonly string[] | undefined) ?? []);
  return Object.entries(schema?.properties ?? {}).map(([name, one]) => ({
    name,
    place,
    isRequired: required.has(name),
    description: String((one as { description?: string }).description ?? ''),
  }));
}

const ERROR_COLUMNS: readonly TableColumn<ProblemCode>[] = [
  { head: 'Status', classes: 'num', cell: (code) => PROBLEMS[code].status },
  {
    head: 'error',
    cell: (code) => (
      <a href={problemPath(code)}>
        <code>{code}</code>
      </a>
    ),
  },
  { head: 'Meaning', cell: (code) => PROBLEMS[code].title },
];

function Errors() {
  return (
    <section aria-labelledby="errors">
      <h2 id="errors">Errors</h2>
      <p class="prose">
        Errors are problem documents (RFC 9457): <code>error</code> is a word to branch on, <code>detail</code> a
        sentence to act on, <code>requestId</code> what finds it in the log.
      </p>
      <Wide label="Table of errors">
        <Table classes={null} columns={ERROR_COLUMNS} rows={Object.keys(PROBLEMS) as ProblemCode[]} />
      </Wide>
    </section>
  );
}
