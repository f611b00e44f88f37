import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { readConnections, secretRef, serviceClientOptions, settingsOf } from '../src/connections.ts';

const read = (text: string, env = {}) => readConnections(text, 'connections.yaml', env);

/** The lines of the ConfigError that reading throws. */
function mistakes(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({ name: 'ConfigError' });
    return (error as Error).message.split('\n');
  }
  return [];
}

test('graders and sources are read with what all kinds share; none is an empty list', () => {
  const { graders, sources } = read('sources:\n  - {id: market, kind: json-http, budgetPerDay: 100}\n');
  expect(graders).toEqual([]);
  expect(sources).toMatchObject([{ id: 'market', kind: 'json-http', name: 'market', budgetPerDay: 100 }]);
  expect(read('')).toEqual({ graders: [], sources: [] });
});

test('every mistake is reported with its line and path', () => {
  const text = `sources:
  - id: My Market
    kind: json-http
  - id: one
    timeoutMs: 5
  - id: two
    kind: psa
  - id: two
    kind: psa
markets: []
`;
  expect(mistakes(() => read(text))).toEqual([
    'connections.yaml:10: /markets is not one of graders, sources',
    'connections.yaml:2: /sources/0/id must match pattern "^[a-z0-9][a-z0-9-]{0,39}$"',
    'connections.yaml:4: /sources/1 lacks kind',
    'connections.yaml:5: /sources/1/timeoutMs must be >= 100',
    'connections.yaml:8: /sources/3/id "two" is the id of another connection',
  ]);
});

test('text that is not YAML is reported with its line', () => {
  expect(mistakes(() => read('sources:\n  - {id: one\n'))[0]).toMatch(/^connections\.yaml:\d+: /);
});

test('a secret is a name in the file, and its value comes from the environment alone', () => {
  const text = 'graders:\n  - {id: psa, kind: psa, token: {env: PSA_TOKEN}}\n';
  const [psa] = read(text, { PSA_TOKEN: 'the-secret' }).graders;
  const settings = settingsOf(psa!, { token: secretRef });
  expect(psa!.secret(settings.token)).toBe('the-secret');
  expect(JSON.stringify(psa)).not.toContain('the-secret');
  expect(mistakes(() => read(text))).toEqual([
    'connections.yaml:2: /graders/0/token the environment variable PSA_TOKEN is not set',
  ]);
});

test('the settings of a kind are checked by its own shape', () => {
  const [one] = read('sources:\n  - id: one\n    kind: x\n    url: 3\n    uri: a\n').sources;
  expect(mistakes(() => settingsOf(one!, { url: Type.String(), path: Type.Integer() })).sort()).toEqual([
    'connections.yaml:2: /sources/0 lacks path',
    'connections.yaml:4: /sources/0/url must be string',
    'connections.yaml:5: /sources/0/uri is not known',
  ]);
});

test('a host without TLS or in a private network is one that the operator says so of', () => {
  const [open, own] = read('sources: [{id: a, kind: x}, {id: b, kind: x, private: true}]').sources;
  expect(serviceClientOptions(open!, ['https://market.example/sold?q={query}'])).toEqual({
    id: 'a',
    hosts: ['https://market.example'],
    privateHosts: [],
  });
  expect(mistakes(() => serviceClientOptions(open!, ['http://market.example/']))[0]).toMatch(/without TLS/);
  expect(mistakes(() => serviceClientOptions(open!, ['https://{name}.example/']))[0]).toMatch(
    /not an http or https address/,
  );
  expect(serviceClientOptions(own!, ['http://127.0.0.1:8000/x'])).toMatchObject({
    privateHosts: ['http://127.0.0.1:8000'],
  });
});
