import { cardWithUpstreamId, mintmark } from './support/mintmark.ts';

const { rid } = await cardWithUpstreamId();
const { href } = await mintmark.upstreamLink({ rid });
console.log(href);
