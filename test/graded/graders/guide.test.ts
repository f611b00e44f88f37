import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConnections } from '../../../src/connections.ts';
import type { Db } from '../../../src/db/client.ts';
import { openGraders } from '../../../src/graded/graders/open-graders.ts';

const guide = readFileSync('docs/guide/graders.md', 'utf8');

test('every example of the guide can be used unchanged', () => {
  const examples = [...guide.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text]) => text!);
  const opened = examples.map((text) => {
    const { graders } = readConnections(text, 'guide', { PSA_TOKEN: 'a', REGISTRY_TOKEN: 'b' });
    // Opening calls no service and reads nothing.
    return openGraders({ db: {} as Db, clock: () => 0 }, graders).all.map(({ company }) => company);
  });
  expect(opened).toEqual([['PSA'], ['CGC', 'BGS']]);
});
