import { cardWithUpstreamId, mintmark } from './support/mintmark.ts';

const { rid } = await cardWithUpstreamId();
const { trades } = await mintmark.tradesByUpstreamId({ rid, limit: 3 });
for (const { observedAt, priceUsdCents } of trades) console.log(observedAt, priceUsdCents);
