import { MintmarkProblem, openClient, pages } from '../../packages/client/src/index.ts';

/** Uses the client of the service whose address is given, and prints what came of it: in any runtime that has `fetch`. */
const client = openClient({ baseUrl: process.argv[2]!, apiKey: 'mk_1', apiSecret: 'mks_1', retries: 2 });

const ids: string[] = [];
for await (const { results } of pages(client.search, { tag: 'mood:calm' })) for (const { id } of results) ids.push(id);
const problem = await client.games().catch((error: unknown) => error);
const stages: string[] = [];
for await (const { id, event } of client.gradedCertStream({ cert: '1' })) stages.push(`${id} ${event}`);
const file = new Blob([new Uint8Array([1, 2, 3])], { type: 'image/png' });
const photo: string[] = [];
for await (const { id, event } of client.gradedByImage({ body: { file } })) photo.push(`${id} ${event}`);
const aborted = await client.health({}, { signal: AbortSignal.timeout(50) }).catch((error: Error) => error.name);
const code = problem instanceof MintmarkProblem ? problem.code : null;
console.log(JSON.stringify({ ids, code, stages, photo, aborted, quota: client.quota() }));
