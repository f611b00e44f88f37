import { scrolledByKeys } from '../table.tsx';
import { fieldsOf, type JsonSchema, shapeOf, typeOf } from './answer-fields.ts';
import { Call } from './call.tsx';
import { Words } from './description-words.tsx';
import { FieldList } from './field-list.tsx';
import { CARD_PARAMETERS, isOfCard, type Operation, type Route } from './operations.ts';
import { isShown, type Samples, shortened } from './sample-answers.ts';

/** What the examples of routes are made of. */
export type RouteWorld = Samples & { baseUrl: string };

/** Statuses that any route may answer; they are described once. */
const COMMON: readonly string[] = ['400', '401', '429', '500', '503'];

/** Addresses of a view in addition to that by the card's page. */
const MORE: Record<number, string> = { 1: 'another address', 2: 'two more addresses', 3: 'three more addresses' };

/** One route: what it does, parameters, fields, a call, its answer and its own errors. */
export function RouteText({ route, world }: { route: Route; world: RouteWorld }) {
  const { id, method, paths, operation } = route;
  const parameters = operation.parameters.filter(({ name }) => !(isOfCard(route) && CARD_PARAMETERS.includes(name)));
  const [success, content] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))!;
  const type = Object.keys(content.content!)[0]!;
  const body = content.content![type]!;
  return (
    <article class="route" aria-labelledby={`route-${id}`}>
      <div class="route-words">
        <h3 id={`route-${id}`}>{operation.summary}</h3>
        <p class="route-paths">
          <span class="route-method">{method}</span>{' '}
          {(isOfCard(route) ? [paths[0]!] : paths).map((path) => (
            <code key={path}>{path}</code>
          ))}
          {isOfCard(route) && (
            <>
              {' '}
              and <a href="#card">{MORE[paths.length - 1]} of the card</a>
            </>
          )}
        </p>
        <p class="muted small">
          <Words text={operation.description.slice(operation.summary.length + 2)} />
        </p>
        {parameters.length > 0 && (
          <>
            <h4>Parameters</h4>
            <FieldList
              fields={parameters.map((one) => ({
                name: one.name,
                type: `${one.in}, ${typeOf(one.schema)}${one.required && one.in !== 'path' ? ', required' : ''}`,
                shape: null,
                description: one.description ?? '',
              }))}
            />
          </>
        )}
        <Body operation={operation} />
        <Fields schema={body.schema} type={type} />
        <Errors statuses={Object.keys(operation.responses)} success={success} />
      </div>
      <Example route={route} world={world} example={body.example} type={type} />
    </article>
  );
}

function Body({ operation: { requestBody } }: { operation: Operation }) {
  if (requestBody === undefined) return null;
  const [type, { schema }] = Object.entries(requestBody.content)[0]!;
  return (
    <>
      <h4>
        Body, <code>{type}</code>
      </h4>
      <FieldList fields={fieldsOf(schema)} />
    </>
  );
}

function Fields({ schema, type }: { schema: JsonSchema; type: string }) {
  const shape = shapeOf(schema);
  if (shape !== null)
    return (
      <p>
        Answers with {schema.$ref ? articleOf(shape) : 'a list of'} <a href={`#shape-${shape}`}>{shape}</a>.
      </p>
    );
  const fields = fieldsOf(schema);
  if (fields.length === 0) return type === 'application/json' ? null : <p>Answers with {type}.</p>;
  return (
    <details>
      <summary>Fields of the answer</summary>
      <FieldList fields={fields} />
    </details>
  );
}

function articleOf(shape: string): string {
  return /^[AEIOU]/.test(shape) ? 'an' : 'a';
}

function Errors({ statuses, success }: { statuses: readonly string[]; success: string }) {
  const own = statuses.filter((status) => status !== success && Number(status) >= 400 && !COMMON.includes(status));
  if (own.length === 0) return null;
  return (
    <p class="small">
      Errors of this route:{' '}
      {own.map((status, at) => (
        <>
          {at > 0 && ', '}
          <a key={status} href={`#error-${status}`}>
            {status}
          </a>
        </>
      ))}
    </p>
  );
}

type ExampleOf = { route: Route; world: RouteWorld; example: unknown; type: string };

function Example({ route, world: { baseUrl, values, answers }, example, type }: ExampleOf) {
  const { id, method, operation, paths } = route;
  const path = paths[0]!;
  const real = answers.get(path);
  const text = real ?? (typeof example === 'string' ? example : JSON.stringify(shortened(example), null, 2));
  return (
    <div class="route-code">
      <Call id={id} what={`the call of ${path}`} text={curlOf({ baseUrl, values, method, operation, path })} />
      {text !== undefined && type !== 'application/x-ndjson' && (
        <details>
          <summary>{real === undefined ? 'Answer, an example' : 'Answer of this installation, shortened'}</summary>
          <pre {...scrolledByKeys(`Answer of ${path}`)}>
            <code>{text}</code>
          </pre>
        </details>
      )}
    </div>
  );
}

type CallOf = Pick<RouteWorld, 'baseUrl' | 'values'> & Pick<Route, 'method' | 'operation'> & { path: string };

function curlOf({ baseUrl, values, method, operation: { parameters, requestBody }, path }: CallOf): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? name));
  const query = parameters
    .filter((one) => one.in === 'query' && isShown(one.name, one.required))
    .map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? '…')}`);
  const address = `${baseUrl}${filled}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  if (method === 'GET') return `curl '${address}'`;
  const [type, { schema }] = Object.entries(requestBody!.content)[0]!;
  const part = Object.keys(schema.properties ?? {})[0];
  return type === 'multipart/form-data'
    ? `curl '${address}' \\\n  -F ${part}=@photo.jpg`
    : `curl '${address}' \\\n  -H 'Content-Type: ${type}' \\\n  -d @body.json`;
}
