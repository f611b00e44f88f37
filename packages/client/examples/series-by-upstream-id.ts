import { cardWithUpstreamId, mintmark } from './support/mintmark.ts';

const { rid } = await cardWithUpstreamId();
const { points } = await mintmark.seriesByUpstreamId({ rid, window: 90 });
console.log(points.length);
