import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { openMultipart } from '../../../src/http/body/multipart.ts';

test('an upload that arrives byte by byte keeps nothing of a part that is not read', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { write } = openMultipart(
    { 'content-type': 'multipart/form-data; boundary=b' },
    { names: ['file'], maxParts: 1, maxPartBytes: 1024, take() {}, giveBack() {} },
  );
  await write(Buffer.from('--b\r\ncontent-disposition: form-data; name="other"\r\n\r\n'));
  const drop = Buffer.from('x');
  const drip = async (times: number) => {
    for (let n = 0; n < times; n++) await write(drop);
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await drip(1000);
  expect((await drip(100_000)) - before).toBeLessThan(5 * 2 ** 20);
});
