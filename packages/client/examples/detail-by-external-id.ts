import { cardWithExternalId, mintmark } from './support/mintmark.ts';

const { space, id } = await cardWithExternalId();
const { name, priceUsdCents } = await mintmark.detailByExternalId({ space, id });
console.log(name, priceUsdCents);
