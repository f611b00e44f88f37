import { bodyOf } from './own-api.ts';
import { ApiProblem, type ToolApi } from './tool.ts';

const WITHIN_MS = 60_000;
const MOST_BYTES = 16 * 2 ** 20;

/** The API of an installation elsewhere, with the key of its operator or none. */
export function remoteApi(baseUrl: string, key: { id: string; secret: string } | null): ToolApi {
  const keyed: Record<string, string> = key === null ? {} : { 'x-api-key': key.id, 'x-api-secret': key.secret };
  async function send<Body>(path: string, init: RequestInit): Promise<Body> {
    const headers = { accept: 'application/json', ...keyed, ...(init.headers as Record<string, string>) };
    // A redirect would carry the key elsewhere.
    const options = { ...init, headers, redirect: 'error', signal: AbortSignal.timeout(WITHIN_MS) } as const;
    try {
      const response = await fetch(baseUrl + path, options);
      return bodyOf<Body>(response.status, await textOf(response));
    } catch (error) {
      if (error instanceof ApiProblem) throw error;
      throw new ApiProblem(`${baseUrl} cannot be reached; check the address given with --url.`);
    }
  }
  return {
    baseUrl,
    get: (path) => send(path, {}),
    post: (path, body) =>
      send(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  };
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new ApiProblem('The answer of the service is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
