import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import Value from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { GAMES } from '../../src/catalog/games.ts';
import { openapiDocument } from '../../src/ops/openapi.ts';
import { inVersion32 } from '../../src/ops/openapi-3-2.ts';
import { ROUTES } from '../../src/routes.ts';

type Json = Record<string, unknown>;
type Schema = { type?: string; pattern?: string; minimum?: number; maximum?: number; anyOf?: Schema[] };
type Operation = {
  description: string;
  tags: string[];
  responses: Record<string, { content: Record<string, { example: unknown }> }>;
};

const SNAPSHOT = 'test/contract/openapi.json';
const SERVICE = { name: 'Mintmark', baseUrl: 'https://prices.example', contact: null };
const document = openapiDocument(ROUTES, SERVICE);
const text = `${JSON.stringify(document, null, 2)}\n`;

describe('the OpenAPI document', () => {
  test('is what it was: a change of the contract is a visible difference (UPDATE_OPENAPI=1 accepts it)', () => {
    if (process.env.UPDATE_OPENAPI || !existsSync(SNAPSHOT)) writeFileSync(SNAPSHOT, text);
    expect(text).toBe(readFileSync(SNAPSHOT, 'utf8'));
  });

  test('passes the linter without a complaint', async () => {
    const config = await createConfig({ extends: ['recommended'], rules: { 'operation-4xx-response': 'off' } });
    const problems = await lintFromString({ source: text, config });
    expect(problems.map((one) => `${one.ruleId}: ${one.message} at ${one.location[0]?.pointer}`)).toEqual([]);
  });

  test('passes it in version 3.2 too', async () => {
    const config = await createConfig({ extends: ['recommended'], rules: { 'operation-4xx-response': 'off' } });
    const problems = await lintFromString({ source: JSON.stringify(inVersion32(document, ROUTES)), config });
    expect(problems.map((one) => `${one.ruleId}: ${one.message} at ${one.location[0]?.pointer}`)).toEqual([]);
  });

  test('names every mounted route', () => {
    const { paths } = document as { paths: Record<string, unknown> };
    expect(Object.keys(paths).length).toBe(ROUTES.length);
  });

  test('describes each operation, with a declared tag, an example answer that fits, and errors', () => {
    const { paths, tags } = document as {
      paths: Record<string, Record<string, Operation>>;
      tags: { name: string; description: string }[];
    };
    const declared = tags.map(({ name }) => name);
    const used = new Set<string>();
    for (const { path, endpoint } of ROUTES) {
      const [operation] = Object.values(paths[path.replace(/:(\w+)/g, '{$1}')]!);
      const { description, tags: own, responses } = operation!;
      expect(description, path).toMatch(/^.+\. It .+\.$/);
      expect(declared, path).toContain(own[0]);
      used.add(own[0]!);
      const { example } = Object.values(responses[String(endpoint.success ?? 200)]!.content)[0]!;
      expect([...Value.Errors(endpoint.response, example)], `${path} ${JSON.stringify(example)}`).toEqual([]);
      expect(Object.keys(responses).filter((status) => /^[45]/.test(status)).length, path).toBeGreaterThanOrEqual(4);
    }
    expect([...used].sort()).toEqual([...declared].sort());
  });

  test('names files as binary, and closed and open lists of values', () => {
    for (const part of ['"file":{"type":"string","format":"binary"', '"items":{"type":"string","format":"binary"'])
      expect(JSON.stringify(document)).toContain(part);
    const { components } = document as { components: { schemas: Record<string, { properties: Json }> } };
    const { game, company, confidence, tags } = components.schemas.CardSummary!.properties as Record<string, Json>;
    expect(game).toEqual({ type: 'string', enum: [...GAMES] });
    expect(JSON.stringify(company)).toContain('"enum":["PSA","BGS","CGC","RAW"]');
    expect(JSON.stringify(confidence)).toContain('"enum":["prime","high","medium","low"]');
    expect(JSON.stringify(tags)).toContain('"x-extensible-enum":["character"');
    expect(JSON.stringify(document)).toContain('"x-extensible-enum":["PSA","BGS","CGC","RAW","SGC"');
  });

  test('names the choices that trades and boxes in photos have', () => {
    const { paths } = document as { paths: Record<string, Record<string, Operation>> };
    const listed = (path: string, method: string, list: string) => {
      const { content } = paths[path]![method]!.responses['200']!;
      const { schema } = content['application/json'] as unknown as { schema: { properties: Json } };
      return (schema.properties[list] as { items: { properties: Json } }).items.properties;
    };
    const trade = listed('/v1/items/{game}/{set}/{item}/trades', 'get', 'trades');
    expect(trade.kind).toMatchObject({ type: 'string', const: 'transaction' });
    expect(trade.disposition).toMatchObject({ type: 'string', enum: ['used', 'downweighted', 'refused'] });
    expect(trade.saleType).toMatchObject({ enum: ['auction', 'fixed', 'offer', 'house_auction', 'shop'] });
    expect(listed('/v1/search/detect-items', 'post', 'boxes').kind).toMatchObject({ enum: ['card', 'slab'] });
  });

  test('has whole numbers as integers within bounds, never as text of digits', () => {
    const { paths } = document as {
      paths: Record<string, Record<string, { parameters: { name: string; schema: Schema }[] }>>;
    };
    const parameters = Object.values(paths).flatMap((one) =>
      Object.values(one).flatMap(({ parameters }) => parameters),
    );
    const ofNumbers = parameters.filter(({ name }) => ['limit', 'window'].includes(name));
    expect(ofNumbers.length).toBeGreaterThan(15);
    for (const { name, schema } of ofNumbers) {
      const number = [schema, ...(schema.anyOf ?? [])].find(({ type }) => type === 'integer');
      expect([name, number?.minimum], name).toEqual([name, 1]);
      expect(number?.maximum, name).toBeGreaterThan(1);
    }
    for (const { name, schema } of parameters)
      for (const { pattern } of [schema, ...(schema.anyOf ?? [])])
        expect(/^\^\(?(\[[01]-9\]|\\d)/.test(pattern ?? ''), `${name} ${pattern}`).toBe(false);
  });

  test('names the operator’s contact', () => {
    const contactOf = (contact: string | null) =>
      (openapiDocument([], { ...SERVICE, contact }) as { info: { contact: object } }).info.contact;
    const page = { name: 'Mintmark', url: 'https://prices.example/report' };
    expect(contactOf(null)).toEqual(page);
    expect(contactOf('mailto:api@prices.example')).toEqual({ ...page, email: 'api@prices.example' });
    expect(contactOf('https://prices.example/contact')).toEqual({ ...page, url: 'https://prices.example/contact' });
  });
});
