import { cardWithUpstreamId, mintmark } from './support/mintmark.ts';

const { rid } = await cardWithUpstreamId();
const { name, priceUsdCents } = await mintmark.cardDetailByUpstreamId({ rid });
console.log(name, priceUsdCents);
