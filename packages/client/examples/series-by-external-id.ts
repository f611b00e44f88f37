import { cardWithExternalId, mintmark } from './support/mintmark.ts';

const { space, id } = await cardWithExternalId();
const { points } = await mintmark.seriesByExternalId({ space, id, window: 90 });
console.log(points.length);
