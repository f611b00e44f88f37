import { mintmark } from './support/mintmark.ts';

const { id } = await mintmark.applyForPartnerKey({
  body: { shopName: 'Corner Cards', region: 'EU', salesFormat: 'shop', contactEmail: 'owner@corner.example' },
});
console.log(id);
