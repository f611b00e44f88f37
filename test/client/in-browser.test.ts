import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as esbuild from 'esbuild';
import { expect, test } from 'vitest';
import { chromiumPath, launchBrowser } from '../support/browser.ts';

test.skipIf(chromiumPath === null)('the client works in a browser, from another origin', async () => {
  const { outputFiles } = await esbuild.build({
    entryPoints: ['packages/client/src/index.ts'],
    bundle: true,
    format: 'iife',
    globalName: 'client',
    write: false,
  });
  const api = createServer((_, response) => {
    response.writeHead(200, {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'last-event-id',
      'content-type': 'text/event-stream',
    });
    response.end('id: 1\nevent: result\ndata: {"cert":"PSA1"}\n\n');
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.setContent('<p>another site</p>');
    await page.addScriptTag({ content: outputFiles[0]!.text });
    const events = await page.evaluate(
      `(async () => {
        const events = [];
        const mintmark = client.openClient({ baseUrl: 'http://127.0.0.1:${(api.address() as AddressInfo).port}' });
        for await (const event of mintmark.gradedCertStream({ cert: '1' })) events.push(event);
        return events;
      })()`,
    );
    expect(events).toEqual([{ id: '1', event: 'result', data: { cert: 'PSA1' } }]);
  } finally {
    await browser.close();
    api.close().closeAllConnections();
  }
});
