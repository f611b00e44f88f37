import type { KeptSuspect } from '../../audit/suspect-store.ts';
import type { ItemRow } from '../../items/item-row.ts';
import { Name } from '../card/name.tsx';
import { count } from '../format.ts';
import { Day } from '../price.tsx';
import { kindWords, stateWords, subjectsOf } from './suspect-words.ts';

type SuspectsOf = { suspects: readonly KeptSuspect[]; items: ReadonlyMap<string, ItemRow> };

/** Suspects in their order, with their evidence; each has an anchor. */
export function SuspectList({ suspects, items }: SuspectsOf) {
  return (
    <ul class="corrections">
      {suspects.map((one) => (
        <li key={one.id} id={`suspect-${one.id}`}>
          <p class="muted small">
            <Day iso={one.foundAt.toISOString()} /> · {kindWords(one)} · {stateWords(one)}
          </p>
          <SuspectParts suspect={one} items={items} baseUrl="" />
        </li>
      ))}
    </ul>
  );
}

type PartsOf = { suspect: KeptSuspect; items: ReadonlyMap<string, ItemRow>; baseUrl: string };

/** The cards of a suspect, and its evidence. `baseUrl`: what the addresses of cards begin with. */
export function SuspectParts({ suspect, items, baseUrl }: PartsOf) {
  const { shown, more } = subjectsOf(suspect, items);
  return (
    <>
      <p class="correction-subject">
        {shown.map(({ href, text }, at) => (
          <>
            {at > 0 && <br />}
            <a key={href} href={baseUrl + href}>
              <Name>{text}</Name>
            </a>
          </>
        ))}
        {more > 0 && ` and ${count(more)} more`}
      </p>
      {suspect.evidence.map(({ text }) => (
        <p key={text}>
          <Name>{text}</Name>
        </p>
      ))}
    </>
  );
}
