import { mintmark } from './support/mintmark.ts';

// What has changed since the last page that was read: keep the cursor.
const { changes, nextCursor } = await mintmark.changes({ limit: 5 });
for (const { id, gradeLabel, priceUsdCents } of changes) console.log(id, gradeLabel, priceUsdCents);
console.log(nextCursor);
