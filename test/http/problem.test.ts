import { expect, test } from 'vitest';
import { notFound, ProblemError } from '../../src/http/problem.ts';

test('a problem does not say where it was made; errors after it do', () => {
  for (const problem of [notFound('No such card.'), new ProblemError('unauthorized', 'The key is wrong.')])
    expect(problem.stack).not.toContain('\n');
  expect(new Error('a fault').stack).toContain('problem.test.ts');
});
