import { cardWithExternalId, mintmark } from './support/mintmark.ts';

const { space, id } = await cardWithExternalId();
const { trades } = await mintmark.tradesByExternalId({ space, id, limit: 3 });
for (const { observedAt, priceUsdCents } of trades) console.log(observedAt, priceUsdCents);
