import { cardWithUpstreamId, mintmark } from './support/mintmark.ts';

const { rid } = await cardWithUpstreamId();
const { name, priceUsdCents } = await mintmark.detailByUpstreamId({ rid });
console.log(name, priceUsdCents);
