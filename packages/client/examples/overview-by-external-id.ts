import { cardWithExternalId, mintmark } from './support/mintmark.ts';

const { space, id } = await cardWithExternalId();
const { grades } = await mintmark.overviewByExternalId({ space, id });
for (const { gradeLabel, priceUsdCents } of grades) console.log(gradeLabel, priceUsdCents);
