import { cardWithUpstreamId, mintmark } from './support/mintmark.ts';

const { rid } = await cardWithUpstreamId();
const { points } = await mintmark.fmvSeriesByUpstreamId({ rid, window: 90 });
console.log(points.at(-1));
