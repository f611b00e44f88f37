import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { readyAnswer, sendReady } from '../../src/http/answer.ts';
import { notFound, ProblemError } from '../../src/http/problem.ts';

const KIND = { status: 200, policy: 'open', maxAgeSeconds: 60, extraHeaders: {} } as const;

test('a compressed answer that cannot be sent closes its connection, and nothing else', async () => {
  const faults: unknown[] = [];
  const onFault = (error: unknown) => faults.push(error);
  process.on('unhandledRejection', onFault);
  // No header takes this character.
  const answers = {
    '/bad': readyAnswer({ body: 'a'.repeat(5000), pageUrl: 'https://cards.test/\u30ab' }, KIND),
    '/good': readyAnswer({ body: 'a'.repeat(5000) }, KIND),
  };
  const server = createServer((request, response) => {
    sendReady(request, response, answers[request.url as keyof typeof answers], { requestId: 'r' });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2000) });
  await expect(get('/bad')).rejects.toThrow('fetch failed');
  expect((await get('/good')).status).toBe(200);
  expect(faults).toEqual([]);
  process.off('unhandledRejection', onFault);
  server.close();
});

test('a problem does not say where it was made; errors after it do', () => {
  for (const problem of [notFound('No such card.'), new ProblemError('unauthorized', 'The key is wrong.')])
    expect(problem.stack).not.toContain('\n');
  expect(new Error('a fault').stack).toContain('answer.test.ts');
});
