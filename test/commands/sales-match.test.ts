import { expect, test } from 'vitest';
import { matchCommand } from '../../src/commands/sales.ts';

test.each(['PSA 10', 'psa-88', ''])('sales match rejects the grade %j before anything is opened', async (grade) => {
  const matched = matchCommand({ source: 'shop', saleId: '1' }, 'x', { grade });
  await expect(matched).rejects.toThrow(`--grade takes a grade such as psa-10 or raw-A, not "${grade}"`);
});
