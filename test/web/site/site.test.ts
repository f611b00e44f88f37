import { expect, test } from 'vitest';
import { contentPolicy, shownImage } from '../../../src/web/site/site.ts';

const site = { imageHosts: ['cards.example'], baseUrl: 'https://prices.example' };

test('a picture is shown from the site itself and from named hosts by https, and from nowhere else', () => {
  expect(shownImage(site, '/images/ab.webp')).toBe('/images/ab.webp');
  expect(shownImage(site, 'https://prices.example/images/ab.webp')).toBe('/images/ab.webp');
  expect(shownImage(site, 'https://cards.example/a.webp')).toBe('https://cards.example/a.webp');
  for (const url of [
    'http://cards.example/a.webp',
    'https://evil.example/a.webp',
    'https://cards.example.evil.example/a.webp',
    '//evil.example/a.webp',
    'javascript:alert(1)',
    'data:image/png;base64,AA',
    'not a url',
  ])
    expect(shownImage(site, url), url).toBeNull();
  expect(shownImage(site, null)).toBeNull();
});

test('the policy names those hosts and allows nothing inline', () => {
  const policy = contentPolicy(site);
  expect(policy).toContain("img-src 'self' blob: https://cards.example;");
  expect(policy).not.toContain('unsafe');
});
