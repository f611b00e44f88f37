import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../support/app.ts';
import { anItem } from '../support/builders.ts';
import { freshDatabase } from '../support/database/database.ts';
import { type SearchWorld, searchWorld } from './search-world.ts';

let api: SearchWorld['api'];
let ask: SearchWorld['ask'];
let idsOf: SearchWorld['idsOf'];
let expectRefused: SearchWorld['expectRefused'];
let pokemon: SearchWorld['pokemon'];
let gundam: SearchWorld['gundam'];
let bare: SearchWorld['bare'];
let world: SearchWorld;

beforeAll(async () => {
  world = await searchWorld();
  ({ api, ask, idsOf, expectRefused, pokemon, gundam, bare } = world);
});
afterAll(() => world.close());

describe('q', () => {
  test('finds by words in any order; the answer repeats it as it was sent', async () => {
    const { json } = await ask({ q: ' base  charizard ' });
    expect(json.query).toBe(' base  charizard ');
    expect(json.results[0].id).toBe(pokemon[0]);
    for (const q of ['charizard 1 base', '1 base charizard', 'base 1 charizard'])
      expect((await idsOf({ q }))[0], q).toBe(pokemon[0]);
  });

  test('has at most 80 characters, counted as code points', async () => {
    for (const sign of ['a', 'é', '😀', '龍']) {
      expect((await ask({ q: sign.repeat(80) })).status, sign).toBe(200);
      await expectRefused({ q: sign.repeat(81) });
      await expectRefused({ q: sign.repeat(81), tag: 'mood:happy' });
    }
  });

  test('needs 2 characters that are not spaces when there is neither a tag nor a character', async () => {
    expect((await ask({ q: 'ch' })).status).toBe(200);
    expect((await ask({ q: '龍龍' })).status).toBe(200);
    for (const q of ['', 'c', '龍', '😀', ' ', '  ', ' c ', '\u0001\u0001c', 'e\u0301']) await expectRefused({ q });
    await expectRefused({});
    await expectRefused({ q: 'c', character: '' });
    await expectRefused({ q: 'c', character: ' ' });
    await expectRefused({ q: 'c', game: 'pokemon' });
  });

  test('of one character is enough with a tag or a character', async () => {
    expect((await ask({ q: 'c', tag: 'mood:happy' })).status).toBe(200);
    expect((await ask({ q: 'c', tag: '' })).status).toBe(200);
    expect((await ask({ q: 'c', character: 'glurak' })).status).toBe(200);
  });

  test('that nothing matches is an empty success', async () => {
    expect(await idsOf({ q: 'qqqqqqqqq zzzzzzzzzz' })).toEqual([]);
  });

  test('with control characters is read as if they were spaces', async () => {
    expect(await idsOf({ q: 'charizard\u0001base\u0085\n' })).toEqual(await idsOf({ q: 'charizard base' }));
  });
});

describe('limit', () => {
  test('is 12 by default, and from 1 to 30', async () => {
    expect(await idsOf({ q: 'agumon' })).toHaveLength(12);
    expect(await idsOf({ q: 'agumon', limit: '1' })).toHaveLength(1);
    expect(await idsOf({ q: 'agumon', limit: '30' })).toHaveLength(30);
    expect(await idsOf({ tag: 'mood:crowd' })).toHaveLength(12);
    for (const limit of ['', '0', '31', '-1', '01', '1.0', '1e1', '+5', ' 5', '100', 'ten', '٣'])
      await expectRefused({ q: 'agumon', limit });
  });
});

describe('game', () => {
  test('scopes tags', async () => {
    expect(await idsOf({ tag: 'mood:happy', game: 'gundam' })).toEqual([gundam[0]]);
    expect(await idsOf({ tag: 'mood:scoped', game: 'gundam' })).toEqual([gundam[0]]);
    expect(await idsOf({ tag: 'mood:scoped', game: 'pokemon' })).toEqual([pokemon[0]]);
    expect(await idsOf({ tag: 'mood:scoped', game: 'mtg' })).toEqual([]);
    expect(new Set(await idsOf({ tag: 'mood:scoped' }))).toEqual(new Set([pokemon[0], gundam[0]]));
  });

  test('scopes the character', async () => {
    expect(await idsOf({ character: 'charizard', game: 'gundam' })).toEqual([gundam[1]]);
    expect(await idsOf({ character: 'charizard', game: 'pokemon' })).toEqual([pokemon[0]]);
    expect(await idsOf({ character: 'charizard', game: 'mtg' })).toEqual([]);
  });

  test('does nothing without a tag and a character', async () => {
    expect(await idsOf({ q: 'charizard', game: 'gundam' })).toEqual(await idsOf({ q: 'charizard' }));
    expect((await idsOf({ q: 'charizard', game: 'mtg' }))[0]).toBe(pokemon[0]);
  });

  test('is ANDed with a game in q', async () => {
    expect(await idsOf({ q: 'pokemon', tag: 'mood:happy', game: 'gundam' })).toEqual([]);
    expect(await idsOf({ q: 'gundam', tag: 'mood:happy', game: 'gundam' })).toEqual([gundam[0]]);
    expect(new Set(await idsOf({ q: 'pokemon', tag: 'mood:happy' }))).toEqual(new Set(pokemon.slice(0, 4)));
    expect(await idsOf({ q: 'pokemon charizard', character: 'charizard', game: 'gundam' })).toEqual([]);
  });

  test('that is unknown is 400', async () => {
    for (const game of ['chess', '', 'Pokemon', 'pokemon ', 'constructor'])
      for (const more of [{ q: 'charizard' }, { tag: 'mood:happy' }, { character: 'charizard' }])
        await expectRefused({ game, ...more });
  });
});

describe('character', () => {
  test('is a slug, a name or another name of the roster, alone or with text', async () => {
    for (const character of ['charizard', 'Charizard', 'glurak', 'GLURAK', 'リザードン', 'ﾘｻﾞｰﾄﾞﾝ', ' charizard ']) {
      const found = await idsOf({ character });
      expect(found, character).toContain(pokemon[0]);
      expect(found, character).not.toContain(pokemon[1]);
    }
    expect(await idsOf({ character: 'glurak', q: 'base' })).toEqual([pokemon[0]]);
    expect(await idsOf({ character: 'glurak', q: 'blastoise' })).toEqual([]);
  });

  test('needs no image; with a tag, the tag does', async () => {
    expect(await idsOf({ character: 'squirtle' })).toEqual([bare]);
    expect(await idsOf({ character: 'squirtle', tag: 'mood:happy' })).toEqual([]);
  });

  test('that is unknown is left to q, within the tags', async () => {
    expect(await idsOf({ character: 'nobody-known', q: 'blastoise' })).toEqual(await idsOf({ q: 'blastoise' }));
    expect((await idsOf({ character: 'nobody-known', q: 'blastoise', tag: 'mood:happy' }))[0]).toBe(pokemon[1]);
  });

  test('that is unknown, without q, is the text', async () => {
    expect((await idsOf({ character: 'blastoise' }))[0]).toBe(pokemon[1]);
    expect((await idsOf({ character: 'blastoise', tag: 'mood:happy' }))[0]).toBe(pokemon[1]);
    expect(await idsOf({ character: 'mewtwo', tag: 'mood:happy' })).toEqual([]);
  });

  test('as a tag is of the vocabulary: by its slug alone', async () => {
    expect(await idsOf({ tag: 'character:charizard', game: 'pokemon' })).toEqual([pokemon[0]]);
    expect(await idsOf({ tag: 'character:Glurak' })).toEqual([]);
  });

  test('no text is a fault', async () => {
    for (const character of ['\u0001', '%', '__proto__', 'constructor', '💳', 'x'.repeat(160)])
      expect((await ask({ character, q: 'charizard' })).status, character).toBe(200);
    await expectRefused({ character: 'x'.repeat(161) });
  });
});

describe('a hit', () => {
  test('is the summary of the card: at its representative grade, with its tags', async () => {
    const ids = [pokemon[0]!, pokemon[3]!, pokemon[5]!, bare];
    const { json: summaries } = await api.get(`/v1/items/summaries?ids=${ids.join()}`);
    for (const [at, q] of ['charizard base', 'pikachu base', 'mewtwo base', 'squirtle base'].entries())
      expect((await ask({ q, limit: '1' })).json.results, q).toEqual([summaries[at]]);
    expect(summaries.map((one: { gradeLabel: string | null }) => one.gradeLabel)).toEqual([
      'PSA 10',
      'PSA 10',
      'Raw A',
      null,
    ]);
    expect(summaries[0].tags).toContainEqual({ kind: 'mood', slug: 'happy', name: 'Happy' });
    expect(summaries[0].tags).not.toContainEqual(expect.objectContaining({ slug: 'retired' }));
  });

  test('does not reveal the origin of its tags, nor their other names', async () => {
    const { text } = await ask({ tag: 'mood:happy' });
    expect(text).not.toMatch(/origin|Glurak|aliases/);
  });
});

describe('as every read', () => {
  test('repeated scalar parameters are 400, also when they repeat the same', async () => {
    const repeated = [
      { q: ['charizard', 'charizard'] },
      { q: 'charizard', limit: ['5', '5'] },
      { tag: 'mood:happy', game: ['pokemon', 'gundam'] },
      { character: ['charizard', 'charizard'] },
      { tag: 'mood:happy', after: ['', ''] },
    ];
    for (const parameters of repeated) await expectRefused(parameters);
  });

  test('has an ETag, 304 and HEAD', async () => {
    const path = '/v1/search?q=charizard';
    const { headers } = await api.get(path);
    expect(headers['cache-control']).toMatch(/^public, max-age=60/);
    expect((await api.get(path, { 'if-none-match': String(headers.etag) })).status).toBe(304);
    const head = await api.app.inject({ method: 'HEAD', url: path });
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
    expect(head.headers.etag).toBe(headers.etag);
  });

  test('takes a unit of the daily budget, a rejected one too', async () => {
    const limited = await testApp(world.db, { env: { LIMITS: 'on', DAILY_PUBLIC: '2' } });
    expect((await limited.get('/v1/search?q=charizard')).headers['x-ratelimit-remaining']).toBe('1');
    expect((await limited.get('/v1/search?tag=Mood')).headers['x-ratelimit-remaining']).toBe('0');
    expect((await limited.get('/v1/search?q=charizard')).status).toBe(429);
    await limited.app.close();
  });
});

describe('an index that cannot be read', () => {
  test('is 503 with Retry-After, never an empty success; the search comes back by itself', async () => {
    const broken = await freshDatabase();
    await anItem(broken.db);
    const there = await testApp(broken.db);
    await broken.db.query('alter table items rename to items_away');
    for (const query of ['q=charizard', 'tag=mood:happy', 'character=charizard', 'tag=']) {
      const { status, headers, json } = await there.get(`/v1/search?${query}`);
      expect(status, query).toBe(503);
      expect(json.error).toBe('unavailable');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(headers['cache-control']).toBe('no-store');
    }
    expect((await there.get('/v1/search?q=c')).status).toBe(400);
    await broken.db.query('alter table items_away rename to items');
    expect((await there.get('/v1/search?q=charizard')).json.results).toHaveLength(1);
    await there.app.close();
    await broken.close();
  });

  test('a failed request for the cards themselves is not an empty success either', async () => {
    await world.db.query('alter table sets rename to sets_away');
    expect((await ask({ q: 'charizard' })).status).toBeGreaterThanOrEqual(500);
    await world.db.query('alter table sets_away rename to sets');
    expect((await ask({ q: 'charizard' })).status).toBe(200);
  });
});
