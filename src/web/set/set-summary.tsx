import { gradeByKey } from '../../catalog/grades.ts';
import type { cardsOfMovers } from '../../items/featured.ts';
import type { SetOverview } from '../../items/sets/set-overview.ts';
import { gradeName, type PrintingFacts, printingOf } from '../card/card-facts.ts';
import { AND, Printing } from '../card/card-facts-line.tsx';
import { Name } from '../card/name.tsx';
import { count, usd } from '../format.ts';
import { Day, Move } from '../price.tsx';
import { GRADE_HEADS } from './set-table.tsx';

type SetSummaryOf = {
  overview: SetOverview;
  movers: Awaited<ReturnType<typeof cardsOfMovers>>;
  /** The page of the last sale. */
  lastSale: (Omit<PrintingFacts, 'setName'> & { name: string; gradeKey: string; href: string }) | null;
};

/** What a set is worth, what moved in it and when it last sold; nothing of a set without sales. */
export function SetSummary({ overview, movers, lastSale }: SetSummaryOf) {
  const { worth, cardCount } = overview;
  if (worth.length === 0 && overview.lastSale === null) return null;
  return (
    <dl class="set-summary">
      {worth.length > 0 && (
        <div class="worth">
          <dt>One of each card, plainest printing</dt>
          {worth.map(({ gradeKey, cards, usdCents }) => (
            <dd key={gradeKey}>
              <span class="row-note">{GRADE_HEADS[gradeKey]}</span>
              <strong>{usd(usdCents)}</strong>
              <span class="row-note">
                {cards === cardCount ? 'all' : `${count(cards)} of ${count(cardCount)}`} priced
              </span>
            </dd>
          ))}
        </div>
      )}
      {movers.length > 0 && (
        <div>
          <dt>Biggest moves, past {movers[0]!.moveWindowDays} days</dt>
          {movers.map((card) => (
            <dd key={card.href}>
              <a href={card.href}>
                <Name language={card.language}>{card.name}</Name>
              </a>{' '}
              <Move percent={card.movePct} over="30 days" />
              <span class="row-note">
                {gradeName(card.gradeLabel!)}
                <PrintingAfter card={card} />
              </span>
            </dd>
          ))}
        </div>
      )}
      {overview.lastSale !== null && lastSale !== null && (
        <div>
          <dt>Last sale</dt>
          <dd>
            <a href={lastSale.href}>
              <strong>{usd(overview.lastSale.usdCents)}</strong>
            </a>
            <span class="row-note">
              <Name language={lastSale.language}>{lastSale.name}</Name>
              <PrintingAfter card={lastSale} />
            </span>
            <span class="row-note">
              {gradeName(gradeByKey(lastSale.gradeKey)!.label)}
              {AND}
              <Day iso={overview.lastSale.soldAt.toISOString()} />
            </span>
          </dd>
        </div>
      )}
    </dl>
  );
}

/** What distinguishes the printing, after other words; nothing of a plain one. */
function PrintingAfter({ card }: { card: Omit<PrintingFacts, 'setName'> }) {
  if (printingOf(card) === '') return null;
  return (
    <>
      {AND}
      <Printing card={{ ...card, setName: null }} />
    </>
  );
}
