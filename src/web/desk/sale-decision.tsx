import { GRADES } from '../../catalog/grades.ts';
import type { ItemRow } from '../../items/item-row.ts';
import { identityOf } from '../../items/summary.ts';
import { factsOf, gradeName, lineOf } from '../card/card-facts.ts';
import { gameLabel } from '../card/card-words.ts';
import { FormParts } from './desk-page.tsx';
import type { DeskView } from './desk-view.ts';

/** An item that a sale may be of, and why it was not taken. */
type CandidateCard = { item: ItemRow; why: string };

type SaleDecisionOf = {
  view: DeskView;
  sale: { source: string; saleId: string };
  candidates?: readonly CandidateCard[];
};

const COMPANIES = [...new Set(GRADES.map(({ company }) => company))];

/** The form that decides on a sale: the card that it is of, or that it is dropped. */
export function SaleDecision({ view, sale: { source, saleId }, candidates = [] }: SaleDecisionOf) {
  const id = `${source}-${saleId}`;
  return (
    <form method="post" action={`${view.base}do/sale`} class="desk-form" aria-label={`Decide on ${source} ${saleId}`}>
      <input type="hidden" name="source" value={source} />
      <input type="hidden" name="saleId" value={saleId} />
      {candidates.length > 0 && (
        <fieldset>
          <legend>Which card is it?</legend>
          {candidates.map(({ item, why }) => (
            <label key={item.id} class="desk-candidate">
              <input type="radio" name="item" value={item.id} />
              <span>
                <strong>{item.name}</strong>, {factsOf(identityOf(item))}
                <span class="row-note">
                  {gameLabel(item.game)}. Not taken: {why}.
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <div class="desk-fields">
        <div class="field">
          <label for={`${id}-other`}>{candidates.length > 0 ? 'Another card' : 'The card'}</label>
          <p class="field-hint">Its id, or the address of its page.</p>
          <input id={`${id}-other`} name="other" maxLength={300} autocomplete="off" />
        </div>
        <div class="field">
          <label for={`${id}-grade`}>Grade</label>
          <p class="field-hint">Where the sale states none, or a wrong one.</p>
          <select id={`${id}-grade`} name="grade">
            <option value="">As the sale states it</option>
            {COMPANIES.map((company) => (
              <optgroup key={company} label={company === 'RAW' ? 'Ungraded' : company}>
                {GRADES.filter((grade) => grade.company === company).map(({ key, label }) => (
                  <option key={key} value={key}>
                    {gradeName(label)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </div>
        <FormParts
          token={view.token}
          back={view.back}
          id={id}
          why={{ label: 'Why', hint: 'Kept with the decision.' }}
        />
      </div>
      <div class="desk-buttons">
        <button type="submit" name="what" value="match">
          Put on this card
        </button>
        <button type="submit" name="what" value="drop" class="button-quiet">
          Drop the sale
        </button>
      </div>
    </form>
  );
}

/** A card in a line, as a link to its page on the site. */
export function CardLink({ item, href }: { item: ItemRow; href: string }) {
  return <a href={href}>{lineOf(identityOf(item))}</a>;
}
