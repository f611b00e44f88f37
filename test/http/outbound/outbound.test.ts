import { createServer as createTlsServer } from 'node:https';
import { afterEach, describe, expect, test } from 'vitest';
import { headersCarried, openOutbound } from '../../../src/http/outbound/outbound.ts';
import { closeServers, errorOf, listening, local, serving, to } from './outbound-servers.ts';
import { selfSigned } from './self-signed.ts';

afterEach(closeServers);

describe('the hosts that may be called', () => {
  test('a configured host answers: status, headers and body, whatever the status', async () => {
    const port = await serving((request, response) => {
      response.writeHead(404, { 'x-called': request.headers.host! });
      response.end('no such cert');
    });
    const answer = await to(port)(`http://cards.test:${port}/cert?id=1`);
    expect(answer).toMatchObject({ ok: true, status: 404, headers: { 'x-called': `cards.test:${port}` } });
    expect(answer.ok && answer.body.toString()).toBe('no such cert');
  });

  test('no other host, port or scheme is called, nor looked up', async () => {
    const looked: string[] = [];
    const ask = openOutbound({
      allowedHosts: ['cards.test', 'http://plain.test:81'],
      lookup: async (host) => {
        looked.push(host);
        return [];
      },
    });
    for (const address of [
      'https://other.test/',
      'https://sub.cards.test/',
      'https://cards.test.other.test/',
      'https://cards.test./',
      'https://cards.test:8443/',
      'http://cards.test/',
      'https://plain.test:81/',
      'http://plain.test/',
      'https://127.0.0.1/',
    ])
      expect(await errorOf(ask(address)), address).toBe('host_not_allowed');
    expect(looked).toEqual([]);
    expect(await errorOf(ask('https://CARDS.test/'))).toBe('unknown_host');
    expect(looked).toEqual(['cards.test']);
  });

  test('addresses with credentials, of other schemes or unreadable are rejected without being repeated', async () => {
    const ask = openOutbound({ allowedHosts: ['cards.test'] });
    for (const address of ['https://u:hunter2@cards.test/', 'file:///etc/passwd', 'hunter2', 'ftp://cards.test/']) {
      const answer = await ask(address);
      expect(answer).toMatchObject({ ok: false, error: 'bad_address' });
      expect(JSON.stringify(answer)).not.toMatch(/hunter2|passwd/);
    }
  });

  test('a configured host that is more than a host is rejected when it is configured', () => {
    for (const host of ['cards.test/path', 'https://u@cards.test', 'cards.test?x', '', 'a b'])
      expect(() => openOutbound({ allowedHosts: [host] }), host).toThrow(TypeError);
  });

  test('a certificate that nobody vouches for is rejected', async () => {
    const port = await listening(createTlsServer(selfSigned(), (_request, response) => response.end('secret')));
    const allowedHosts = [`localhost:${port}`];
    const ask = openOutbound({ allowedHosts, privateHosts: allowedHosts, lookup: async () => [local] });
    expect(await errorOf(ask(`https://localhost:${port}/`))).toBe('untrusted_certificate');
  });
});

describe('where a name may lead', () => {
  const at = (...addresses: string[]) =>
    openOutbound({
      allowedHosts: ['http://cards.test:1'],
      lookup: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    })('http://cards.test:1/');

  test('never to a private, local or metadata address unless configured', async () => {
    for (const address of ['127.0.0.1', '10.0.0.8', '169.254.169.254', '::1', 'fe80::1', '::ffff:10.0.0.8'])
      expect(await errorOf(at(address)), address).toBe('address_not_allowed');
  });

  test('one bad address among good ones denies the name', async () => {
    expect(await errorOf(at('8.8.8.8', '10.0.0.8'))).toBe('address_not_allowed');
  });

  test('not even a host that may be private leads to link-local or metadata addresses', async () => {
    const hosts = ['http://cards.test:1'];
    for (const address of ['169.254.169.254', '100.100.100.200', '0.0.0.0', '224.0.0.1']) {
      const ask = openOutbound({
        allowedHosts: hosts,
        privateHosts: hosts,
        lookup: async () => [{ address, family: 4 }],
      });
      expect(await errorOf(ask('http://cards.test:1/')), address).toBe('address_not_allowed');
    }
  });

  test('an address written as a host in any spelling is checked too', async () => {
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '017700000001', '[::1]', '[::ffff:127.0.0.1]'])
      expect(await errorOf(openOutbound({ allowedHosts: [`http://${host}:1`] })(`http://${host}:1/`)), host).toBe(
        'address_not_allowed',
      );
  });

  test('a name is looked up once: the connection goes to the address that was checked', async () => {
    const port = await serving((_request, response) => response.end('the checked one'));
    let lookups = 0;
    const ask = to(port, {
      lookup: async () => (lookups++ === 0 ? [local] : [{ address: '127.0.0.66', family: 4 }]),
    });
    const answer = await ask(`http://cards.test:${port}/`);
    expect(answer.ok && answer.body.toString()).toBe('the checked one');
    expect(lookups).toBe(1);
  });

  test('a rebound name is denied at its next call, and at the next hop of the same call', async () => {
    const port = await serving((_request, response) => response.writeHead(302, { location: '/again' }).end());
    let lookups = 0;
    const ask = to(port, {
      lookup: async () => (lookups++ === 0 ? [local] : [{ address: '169.254.169.254', family: 4 }]),
    });
    expect(await errorOf(ask(`http://cards.test:${port}/`))).toBe('address_not_allowed');
    expect(lookups).toBe(2);
  });

  test('names without an address and refused connections are distinguished, without addresses in the message', async () => {
    const failing = openOutbound({
      allowedHosts: ['cards.test'],
      lookup: async () => {
        throw Object.assign(new Error('getaddrinfo ENOTFOUND secret'), { code: 'ENOTFOUND' });
      },
    });
    expect(await failing('https://cards.test/?token=hunter2')).toEqual({
      ok: false,
      error: 'unknown_host',
      message: 'The host name has no address.',
    });
    const port = await serving(() => {});
    closeServers();
    const answer = await to(port)(`http://cards.test:${port}/?token=hunter2`);
    expect(answer).toEqual({ ok: false, error: 'unreachable', message: 'The connection failed.' });
  });
});

describe('redirects', () => {
  test('are followed up to the limit', async () => {
    const port = await serving((request, response) => {
      const left = Number(request.url!.slice(1));
      if (left === 0) response.end('arrived');
      else response.writeHead(307, { location: `/${left - 1}` }).end();
    });
    const ask = to(port, { maxRedirects: 2 });
    expect(await errorOf(ask(`http://cards.test:${port}/2`))).toBe('answered');
    expect(await errorOf(ask(`http://cards.test:${port}/3`))).toBe('too_many_redirects');
  });

  test('to private addresses, other hosts, other schemes and nonsense are denied', async () => {
    let location = '';
    const port = await serving((_request, response) => response.writeHead(302, { location }).end());
    const ask = to(port);
    for (const [target, error] of [
      ['http://169.254.169.254/latest/meta-data/', 'host_not_allowed'],
      ['http://127.0.0.1:22/', 'host_not_allowed'],
      ['//other.test/', 'host_not_allowed'],
      ['file:///etc/passwd', 'bad_address'],
      [`http://u:p@cards.test:${port}/`, 'bad_address'],
      ['http://[', 'bad_address'],
    ] as const) {
      location = target;
      expect(await errorOf(ask(`http://cards.test:${port}/`)), target).toBe(error);
    }
  });

  test('to a configured host whose name leads into a private network are denied', async () => {
    const port = await serving((_request, response) =>
      response.writeHead(302, { location: 'http://inner.test/' }).end(),
    );
    const ask = to(port, {
      allowedHosts: [`http://cards.test:${port}`, 'http://inner.test'],
      lookup: async (host) => [host === 'inner.test' ? { address: '10.1.2.3', family: 4 } : local],
    });
    expect(await errorOf(ask(`http://cards.test:${port}/`))).toBe('address_not_allowed');
  });

  test('carry no credentials to another host, and keep them on the same', async () => {
    const seen: Record<string, unknown>[] = [];
    const port = await serving((request, response) => {
      seen.push(request.headers);
      const step = request.url!.slice(1);
      if (step === 'start') response.writeHead(302, { location: '/same' }).end();
      else if (step === 'same') response.writeHead(302, { location: `http://other.test:${port}/end` }).end();
      else response.end();
    });
    const hosts = [`http://cards.test:${port}`, `http://other.test:${port}`];
    const headers = { authorization: 'Bearer s', cookie: 's', 'x-api-key': 's', 'user-agent': 'mintmark' };
    const ask = to(port, { allowedHosts: hosts, privateHosts: hosts });
    expect(await errorOf(ask(`http://cards.test:${port}/start`, { headers }))).toBe('answered');
    expect(seen.map((one) => [one.authorization, one.cookie, one['x-api-key'], one['user-agent']])).toEqual([
      ['Bearer s', 's', 's', 'mintmark'],
      ['Bearer s', 's', 's', 'mintmark'],
      [undefined, undefined, undefined, 'mintmark'],
    ]);
  });

  test.each([
    ['https://cards.test/a', 'https://cards.test/b', true],
    ['https://cards.test/a', 'https://cards.test:443/b', true],
    ['https://cards.test/a', 'https://cards.test:8443/a', false],
    ['https://cards.test/a', 'http://cards.test/a', false],
    ['http://cards.test:80/a', 'https://cards.test:80/a', false],
    ['https://cards.test/a', 'https://sub.cards.test/a', false],
  ])('from %s to %s carry credentials: %s', (from, to, isCarried) => {
    const harmless = { 'User-Agent': 'mintmark', accept: 'text/html', 'accept-language': 'en' };
    const headers = { ...harmless, authorization: 'Bearer s', 'x-api-key': 's' };
    expect(headersCarried(headers, new URL(from), new URL(to))).toEqual(isCarried ? headers : harmless);
  });

  test('of a POST are rejected: its body goes to no second place', async () => {
    const bodies: string[] = [];
    const port = await serving(async (request, response) => {
      for await (const chunk of request) bodies.push(String(chunk));
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    const post = to(port)(`http://cards.test:${port}/`, { method: 'POST', body: 'once' });
    expect(await errorOf(post)).toBe('bad_redirect');
    expect(bodies).toEqual(['once']);
  });
});
