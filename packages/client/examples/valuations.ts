import { mintmark } from './support/mintmark.ts';

const { lines, total } = await mintmark.valuations({
  body: { lines: [{ title: 'Charizard Base Set 4/102 PSA 9', quantity: 2 }] },
});
console.log(lines[0]!.status, total.valueUsdCents, total.rangeUsdCents);
