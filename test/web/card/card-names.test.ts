import { type FunctionComponent, h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { Facts } from '../../../src/web/card/card-facts-line.tsx';
import { citationOf } from '../../../src/web/card/card-words.ts';
import { Name } from '../../../src/web/card/name.tsx';

const html = <Props extends object>(of: (props: Props) => unknown, props: Props) =>
  renderToString(h(of as FunctionComponent<Props>, props));
const name = (text: string) => html(Name, { children: text });

test('a long word breaks after its marks; other names, initials and numbers do not', () => {
  expect(name('Eustass"Captain"Kid')).toBe('<bdi>Eustass&quot;<wbr/>Captain&quot;<wbr/>Kid</bdi>');
  expect(name('Portgas.D.Ace')).toBe('<bdi>Portgas.<wbr/>D.<wbr/>Ace</bdi>');
  for (const whole of ['Edward.N', 'J.P. Crawford', 'Charizard & Braixen-GX', 'Alakazam'])
    expect(name(whole)).not.toContain('<wbr/>');
});

test('facts keep a number whole, and each separator with the fact before it', () => {
  const card = {
    setName: 'Paramount War',
    printedNumber: 'OP02-013',
    variation: 'Alternate Art',
    language: 'Japanese',
  };
  const text = html(Facts, { card });
  expect(text).toContain('<span class="number">#OP02-013</span>');
  expect(text.replace(/<[^>]+>/g, '')).toBe('Paramount War #OP02-013\u00a0· Alternate Art\u00a0· Japanese');
  expect(html(Facts, { card: { ...card, printedNumber: null } }).replace(/<[^>]+>/g, '')).toBe(
    'Paramount War\u00a0· Alternate Art\u00a0· Japanese',
  );
});

test('a price that no close has published yet is cited with its amount, range and day', () => {
  const card = {
    name: 'Charizard',
    game: 'pokemon',
    setName: 'Base Set',
    printedNumber: '4',
    variation: null,
    language: 'English',
    gradeLabel: 'PSA 10',
    priceUsdCents: 36_43,
    priceRangeUsdCents: { low: 31_23, high: 42_49 },
    updatedAt: '2026-11-26T07:00:00.000Z',
    receiptUrl: null,
    href: '/card/pokemon/base-base1/4-charizard-psa-10-68d01c4b',
  } as const;
  const site = { name: 'Mintmark', baseUrl: 'https://prices.example' };
  expect(citationOf(card, site)).toBe(
    `Charizard, Pokémon Base Set #4, PSA 10: $36.43 (80% range $31.23–$42.49), as of 26 Nov 2026. Mintmark, https://prices.example${card.href}`,
  );
  expect(citationOf({ ...card, variation: 'Holo', language: 'Japanese' }, site)).toContain(
    'Charizard, Pokémon Base Set #4 Holo Japanese, PSA 10: ',
  );
  expect(citationOf({ ...card, priceUsdCents: null }, site)).toBeNull();
});
