import { cardWithExternalId, mintmark } from './support/mintmark.ts';

const { space, id } = await cardWithExternalId();
const { href } = await mintmark.externalLink({ space, id });
console.log(href);
