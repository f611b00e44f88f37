import { CORS_HEADERS } from '../http/cors.ts';
import type { Mounting } from '../http/endpoint.ts';

/** A page at /docs that lists every route with its parameters, drawn from the same table that mounts them. */
export function docsPage(routes: readonly Mounting[], service: { name: string; baseUrl: string }): string {
  const current = routes.filter(({ extraHeaders }) => extraHeaders?.deprecation === undefined);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(service.name)} API</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
  code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }
  section { border-top: 1px solid #8884; padding: .75rem 0 }
  h2 { font-size: 1rem; margin: 0 } p { margin: .25rem 0 }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: .25rem 0 0; font-size: .9rem } dd { margin: 0 }
</style></head><body>
<h1>${escapeHtml(service.name)} API</h1>
<p>Reference prices modeled from recorded sales; integer US cents; days in UTC; errors as problem documents.
The whole contract as <a href="/v1/openapi.json">OpenAPI 3.1</a>.</p>
${current.map(sectionOf).join('\n')}
</body></html>`;
}

function sectionOf({ path, endpoint }: Mounting): string {
  const method = endpoint.body ? 'POST' : 'GET';
  const { params, query, headers, body } = endpoint;
  const parameters = [params, query, headers, body]
    .flatMap((schema) => Object.entries(schema?.properties ?? {}))
    .map(
      ([name, schema]) =>
        `<dt><code>${escapeHtml(name)}</code></dt><dd>${escapeHtml(String((schema as { description?: string }).description ?? ''))}</dd>`,
    );
  return `<section><h2><code>${method} ${escapeHtml(path.replace(/:(\w+)/g, '{$1}'))}</code></h2>
<p>${escapeHtml(endpoint.summary)}</p>${parameters.length > 0 ? `<dl>${parameters.join('')}</dl>` : ''}</section>`;
}

export const DOCS_HEADERS = {
  ...CORS_HEADERS,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
} as const;

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
