import { GAMES } from '../../catalog/games.ts';
import type { ItemRow } from '../../items/item-row.ts';
import { gameLabel } from '../card/card-words.ts';
import { FormParts } from './desk-page.tsx';
import type { DeskView } from './desk-view.ts';

type AliasFormOf = {
  view: DeskView;
  /** Of the sale, unique in its page. */
  id: string;
  /** The likeliest card of the title: its game is proposed. */
  card: ItemRow | null;
};

/** The form that teaches what titles call a set or a card. */
export function AliasForm({ view, id, card }: AliasFormOf) {
  return (
    <details>
      <summary>Teach a name</summary>
      <form method="post" action={`${view.base}do/alias`} class="desk-form" aria-label={`Teach a name, ${id}`}>
        <div class="desk-fields">
          <div class="field">
            <label for={`${id}-alias-game`}>Game</label>
            <select id={`${id}-alias-game`} name="game">
              {GAMES.map((game) => (
                <option key={game} value={game} selected={game === card?.game}>
                  {gameLabel(game)}
                </option>
              ))}
            </select>
          </div>
          <div class="field">
            <label for={`${id}-alias-said`}>Words of the title</label>
            <p class="field-hint">Such as “evo skies”.</p>
            <input id={`${id}-alias-said`} name="said" maxLength={100} required autocomplete="off" />
          </div>
          <div class="field">
            <label for={`${id}-alias-meant`}>The set or card that they mean</label>
            <p class="field-hint">Its name, as on its page.</p>
            <input id={`${id}-alias-meant`} name="meant" maxLength={200} required autocomplete="off" />
          </div>
          <FormParts
            token={view.token}
            back={view.back}
            id={`${id}-alias`}
            why={{ label: 'Why', hint: 'Kept with the decision.' }}
          />
        </div>
        <div class="desk-buttons">
          <button type="submit">Teach</button>
        </div>
      </form>
    </details>
  );
}
