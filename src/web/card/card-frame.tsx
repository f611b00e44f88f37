import type { ComponentChildren } from 'preact';
import { englishSetName } from '../../catalog/english-set-names.ts';
import type { ItemRow } from '../../items/item-row.ts';
import { withLastSales } from '../../items/last-sales.ts';
import { similarCards } from '../../items/similar.ts';
import type { PricedDb } from '../../pricing/read/quotes.ts';
import { CardArt } from '../card-picture.tsx';
import { usd } from '../format.ts';
import { type PageContent, Section } from '../layout.tsx';
import { AddressCode } from '../line-breaks.tsx';
import type { Conversion } from '../quote/converted-words.ts';
import type { Site } from '../site/site.ts';
import { CardTiles } from '../tile.tsx';
import { gradeName, lineOf } from './card-facts.ts';
import { AND, Facts } from './card-facts-line.tsx';
import type { ItemDetail } from './card-price.tsx';
import { citationOf, gameLabel, populationWords } from './card-words.ts';
import { Name } from './name.tsx';

/** On a card's page, at most. */
export const SHOWN_CORRECTIONS = 20;

/** One row on a wide screen. */
const SHOWN_SIMILAR = 6;

/** What `SimilarCards` shows next to a card. */
export async function similarTo(db: PricedDb, item: ItemRow) {
  return await withLastSales(db, await similarCards(db, item, { count: SHOWN_SIMILAR, withTags: false }));
}

/** The addresses in the head of a card page. */
export function addressesOf(href: string): Pick<PageContent, 'path' | 'shareImage' | 'alternates'> {
  const alternates = [
    { type: 'text/markdown', href: `${href}.md` },
    { type: 'application/atom+xml', href: `${href}/feed.xml`, title: 'Sales and moves of this card' },
  ];
  return { path: href, shareImage: `${href}.png`, alternates };
}

type CardPageOf = {
  site: Site;
  card: ItemDetail;
  /** Null on the page over all grades. */
  gradeLabel: string | null;
  /** Of the page, and of the API route that answers with its numbers. */
  href: string;
  call: string;
  similar: Parameters<typeof CardTiles>[0]['cards'];
  /** That the price to be cited is also stated in; null on the page over all grades. */
  conversion: Conversion | null;
  /** Next to the picture. */
  first: ComponentChildren;
  children: ComponentChildren;
};

/** The common frame of both card pages: head, other printings, similar cards, and how to use the numbers. */
export function CardPage({ site, card, gradeLabel, href, call, similar, conversion, first, children }: CardPageOf) {
  return (
    <div class="wrap card-page">
      <div class="card-head">
        <div class="card-art">
          <CardArt site={site} card={card} size="page" />
        </div>
        <header class="card-title" data-item={card.id} data-name={lineOf(card)}>
          <h1>
            <Name language={card.language}>{card.name}</Name>
            {gradeLabel !== null && <span class="grade">{gradeName(gradeLabel)}</span>}
          </h1>
          <p class="card-facts">
            <PageFacts card={card} />
          </p>
        </header>
        <div class="card-first">{first}</div>
      </div>
      {children}
      {card.otherLanguages.length + card.otherVariants.length > 0 && (
        <div class="printing-parts">
          <Printings
            id="variants"
            title="Other variants"
            gradeLabel={card.gradeLabel}
            cards={card.otherVariants}
            nameOf={({ name, variation }) => [name === card.name ? null : name, variation ?? plainName(card)]}
          />
          <Printings
            id="languages"
            title="Other languages"
            gradeLabel={card.gradeLabel}
            cards={card.otherLanguages}
            nameOf={({ name, language, variation }) => [name === card.name ? null : name, language, variation]}
          />
        </div>
      )}
      <SimilarCards site={site} cards={similar} />
      <UseThis
        href={href}
        call={call}
        isPriced={card.priceUsdCents !== null}
        attribution={citationOf(card, site, conversion) ?? `${lineOf(card)}. ${site.name}, ${site.baseUrl}${href}`}
        receiptUrl={gradeLabel === null ? null : card.receiptUrl}
      />
    </div>
  );
}

/** `Base Set #4 · Shadowless · 1999 · English` */
function PageFacts({ card }: { card: ItemDetail }) {
  const { year, language } = card;
  return (
    <>
      <Facts card={{ ...card, language: null }} />
      {[year, language].flatMap((fact) => (fact === null ? [] : `${AND}${fact}`))}
    </>
  );
}

/** All that the catalog knows of a card. */
export function Identity({ card }: { card: ItemDetail }) {
  const facts = [
    ['Game', gameLabel(card.game)],
    ['Set', setWords(card)],
    ['Number', card.printedNumber],
    ['Variation', card.variation],
    ['Rarity', card.rarity],
    ['Language', card.language],
    ['Year', card.year?.toString() ?? null],
    ['Slabs', populationWords(card)],
  ].filter(([, value]) => value !== null);
  return (
    <Section id="about-card" title="About this card">
      <dl class="identity">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Name language={card.language}>{value!}</Name>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

/** `拡張パック: Expansion Pack (PMCG1)` */
function setWords({ game, setName, setCode }: ItemDetail): string | null {
  const names = [setName, englishSetName({ game, setName, setCode })].filter(Boolean).join(': ');
  return setCode === null ? names || null : `${names} (${setCode})`;
}

/** A printing without a variation: where there are first editions, it is the unlimited one. */
function plainName({ variation, otherVariants }: ItemDetail): string {
  const all = [variation, ...otherVariants.map((one) => one.variation)];
  return all.some((one) => /1st edition|shadowless/i.test(one ?? '')) ? 'Unlimited' : 'Plain';
}

type OtherPrinting = ItemDetail['otherVariants'][number];
type PrintingsOf = {
  /** Of the card whose page it is. */
  gradeLabel: string | null;
  id: string;
  title: string;
  cards: readonly OtherPrinting[];
  nameOf(card: OtherPrinting): (string | null)[];
};

function Printings({ id, title, gradeLabel, cards, nameOf }: PrintingsOf) {
  if (cards.length === 0) return null;
  const link = (card: OtherPrinting) => <a href={card.href}>{nameOf(card).filter(Boolean).join(', ')}</a>;
  const [priced, unpriced] = [true, false].map((is) => cards.filter((card) => (card.priceUsdCents !== null) === is));
  return (
    <Section id={id} title={title}>
      <ul class="printings">
        {priced!.map((card) => (
          <li key={card.id}>
            {link(card)}
            <span class="muted">{priceWords(card, card.priceUsdCents!, gradeLabel)}</span>
          </li>
        ))}
      </ul>
      {unpriced!.length > 0 && (
        <>
          <p class="muted small">Without a price:</p>
          <ul class="unpriced">
            {unpriced!.map((card) => (
              <li key={card.id}>{link(card)}</li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

/** The price at the grade of the page; without one says so, with the price at its own. */
function priceWords({ gradeLabel: own }: OtherPrinting, cents: number, gradeLabel: string | null): string {
  const price = `${usd(cents)}, ${gradeName(own!)}`;
  return gradeLabel === null || own === gradeLabel ? price : `No ${gradeName(gradeLabel)} price; ${price}`;
}

export function SimilarCards({ site, cards }: Parameters<typeof CardTiles>[0]) {
  if (cards.length === 0) return null;
  return (
    <Section id="similar" title="Similar cards in this set">
      <CardTiles site={site} cards={cards} isRow />
    </Section>
  );
}

type UseOf = { href: string; call: string; isPriced: boolean; attribution: string; receiptUrl: string | null };

/** How to cite the number and check it, where the API has it, where to report an error. */
function UseThis({ href, call, isPriced, attribution, receiptUrl }: UseOf) {
  return (
    <Section id="use" title={`Cite or use this ${isPriced ? 'price' : 'page'}`}>
      <div class="use">
        <div>
          <h3>Cite it</h3>
          <p>
            <code id="attribution">
              <AddressCode>{attribution}</AddressCode>
            </code>
          </p>
          <button type="button" class="button-quiet no-print" data-copy="attribution" hidden>
            Copy citation
          </button>
        </div>
        {receiptUrl !== null && (
          <div>
            <h3>Check it</h3>
            <p>
              The <a href={receiptUrl}>receipt</a> has all that the price was computed from, with proofs:{' '}
              <code>
                <AddressCode>{`mintmark verify ${receiptUrl}`}</AddressCode>
              </code>{' '}
              computes it again. <a href="/methodology/record">How</a>
            </p>
          </div>
        )}
        <div>
          <h3>API</h3>
          <p>
            <a href={call}>
              <code>
                <AddressCode>{`GET ${call}`}</AddressCode>
              </code>
            </a>
          </p>
        </div>
        <div>
          <h3>Something wrong?</h3>
          <p>
            A wrong picture, name or sale: <a href={`/report?card=${encodeURIComponent(href)}`}>report a problem</a>{' '}
            with this card.
          </p>
        </div>
      </div>
    </Section>
  );
}
