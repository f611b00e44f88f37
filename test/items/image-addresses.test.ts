import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absoluteImages } from '../../src/http/absolute-images.ts';
import { BASE_URL, type TestApp, testApp } from '../support/app.ts';
import { anItem, aSet, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { aCert } from '../support/servers/certs.ts';

const OWN = '/images/0123456789abcdef0123456789abcdef';
const WEB = 'https://cards.example/1.webp';

let database: FreshDatabase;
let api: TestApp;
let own: string;
let other: string;

beforeAll(async () => {
  database = await freshDatabase();
  const { db } = database;
  const set = await aSet(db);
  own = await anItem(db, { set, number: '4', name: 'Charizard' });
  other = await anItem(db, { set, number: '5', name: 'Blastoise' });
  await db.query('update items set image_url = $2, image_url_thumb = $3 where id = $1', [
    own,
    `${OWN}-734.webp`,
    `${OWN}-245.webp`,
  ]);
  await db.query('update items set image_url = $2, image_url_thumb = $2 where id = $1', [other, WEB]);
  for (const itemId of [own, other]) await manySales(db, { itemId });
  await aCert(db, { certNumber: '20000000', itemId: own });
  await db.query(`update certs set image_front = '${OWN}-734.webp'`);
  await closeDays(db);
  api = await testApp(db);
  await api.context.liveIndex.built();
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('pictures in bodies of the API', () => {
  test('have absolute addresses on every route that shows them, in streams too', async () => {
    const { href } = (await api.get(`/v1/items/by-id/${own}`)).json;
    const slug = href.replace('/card/', '/v1/items/');
    const set = href.split('/').slice(2, 4).join('/');
    for (const path of [
      slug,
      `${slug}/overview`,
      `${slug.replace(/\/4-.*/, '')}/5-blastoise/similar`,
      `/v1/sets/${set}`,
      `/v1/items/summaries?ids=${own}`,
      '/v1/search?q=charizard',
      '/v1/search/suggest?q=chari',
      '/v1/trades/recent',
      '/v1/graded/20000000',
      '/v1/graded?certs=20000000',
      '/v1/graded/20000000/stream',
    ]) {
      const { status, text } = await api.get(path);
      expect(status, path).toBe(200);
      expect(text, path).toContain(`"${BASE_URL}${OWN}-`);
      expect(text, path).not.toContain('"/images/');
      expect(text, path).not.toContain(`${BASE_URL}https:`);
    }
  });

  test('are the same from another host, and a cert’s three are alike', async () => {
    expect((await api.get(`/v1/items/by-id/${other}`)).json).toMatchObject({ imageUrl: WEB, imageUrlThumb: WEB });
    const { certImages } = (await api.get('/v1/graded/20000000')).json;
    expect(certImages).toEqual({ front: `${BASE_URL}${OWN}-734.webp`, back: null, item: `${BASE_URL}${OWN}-734.webp` });
  });

  test('have no larger one than the one there is', async () => {
    for (const view of ['', '/overview'])
      expect((await api.get(`/v1/items/by-id/${own}${view}`)).json).toHaveProperty('imageUrlLg', null);
  });

  test('are site-relative on pages', async () => {
    const { href } = (await api.get(`/v1/items/by-id/${own}`)).json;
    expect((await api.get(href)).text).toContain(`src="${OWN}-`);
  });
});

describe('making addresses absolute', () => {
  test('touches addresses of pictures and no other text', () => {
    const body = {
      imageUrl: '/images/a.webp',
      imageUrlThumb: '//evil.example/a.webp',
      imageUrlLg: null,
      item: '/card/pokemon/base/4',
      query: '/images/a.webp',
      detail: 'says "imageUrl":"/images/b.webp"',
      certImages: { front: '/images/f.webp', back: '/demo/art/b.svg', item: 'https://cards.example/c.webp' },
    };
    expect(JSON.parse(absoluteImages(JSON.stringify(body), 'https://a.example'))).toEqual({
      ...body,
      imageUrl: 'https://a.example/images/a.webp',
      certImages: {
        ...body.certImages,
        front: 'https://a.example/images/f.webp',
        back: 'https://a.example/demo/art/b.svg',
      },
    });
  });
});
