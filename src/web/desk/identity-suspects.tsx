import { readSuspects } from '../../audit/audit-page.ts';
import type { KeptSuspect } from '../../audit/suspect-store.ts';
import { SuspectParts } from '../audit/suspect-list.tsx';
import { kindWords, stateWords } from '../audit/suspect-words.ts';
import { Section } from '../layout.tsx';
import { Day } from '../price.tsx';
import { type DeskContent, FormParts, Nothing, Pager } from './desk-page.tsx';
import { type DeskView, wholeIn } from './desk-view.ts';
import { PAGE_ROWS } from './desk-world.ts';

/** `identities`: what the audit found and nobody has decided, the newest first. */
export async function identitySuspects(view: DeskView): Promise<DeskContent> {
  const before = wholeIn(view.query, 'before', null);
  const { db, config } = view.world;
  const { suspects, items, nextCursor } = await readSuspects(db, { state: 'open', before, limit: PAGE_ROWS });
  return {
    title: 'Identities',
    main: (
      <>
        <p class="muted">
          Prices and ids that may be on the wrong card. Mend a mapping at its source and import again: a suspect that is
          gone is closed by the next audit.
        </p>
        <Section id="open" title="Open suspects">
          {suspects.length === 0 && <Nothing>Nothing is suspect{before !== null && ' before these'}.</Nothing>}
          {suspects.map((one) => (
            <section key={one.id} class="desk-item">
              <h3>{kindWords(one)}</h3>
              <p class="small">
                Found <Day iso={one.foundAt.toISOString()} /> · probability {one.score.toFixed(3)} · {stateWords(one)}
              </p>
              <SuspectParts suspect={one} items={items} baseUrl={config.baseUrl} />
              <Verdict suspect={one} view={view} />
            </section>
          ))}
        </Section>
        <Pager
          first={before === null ? null : `${view.base}identities`}
          next={nextCursor === null ? null : `${view.base}identities?before=${nextCursor}`}
        />
      </>
    ),
  };
}

function Verdict({ suspect: { id }, view }: { suspect: KeptSuspect; view: DeskView }) {
  return (
    <details>
      <summary>Decide on this suspect</summary>
      <form method="post" action={`${view.base}do/suspect`} class="desk-form" aria-label={`Suspect ${id}`}>
        <input type="hidden" name="id" value={id} />
        <FormParts token={view.token} back={view.back} id={`suspect-${id}`} why={{ label: 'Why', isRequired: true }} />
        <button type="submit" name="what" value="right">
          Nothing is wrong
        </button>
        <button type="submit" name="what" value="wrong">
          It is wrong
        </button>
      </form>
    </details>
  );
}
