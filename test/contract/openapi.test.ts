import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { openapiDocument } from '../../src/ops/openapi.ts';
import { ROUTES } from '../../src/routes.ts';

const SNAPSHOT = 'test/contract/openapi.json';
const document = openapiDocument(ROUTES, { name: 'Mintmark', baseUrl: 'https://prices.example' });
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

  test('names every mounted route', () => {
    const { paths } = document as { paths: Record<string, unknown> };
    expect(Object.keys(paths).length).toBe(ROUTES.length);
  });
});
