import { cardWithUpstreamId, mintmark } from './support/mintmark.ts';

const { rid } = await cardWithUpstreamId();
const { grades } = await mintmark.overviewByUpstreamId({ rid });
for (const { gradeLabel, priceUsdCents } of grades) console.log(gradeLabel, priceUsdCents);
