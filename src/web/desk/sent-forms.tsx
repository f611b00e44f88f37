import type { FormKind } from '../../intake/form-store.ts';
import { listSubmissions, type SubmissionRow } from '../../intake/queue.ts';
import { Day } from '../price.tsx';
import { type DeskContent, FormParts, Nothing, Pager } from './desk-page.tsx';
import { type DeskView, wholeIn } from './desk-view.ts';
import { PAGE_ROWS } from './desk-world.ts';

type KindWords = {
  title: string;
  path: string;
  lead: string;
  nothing: string;
  accept: string;
  why: { label: string; hint: string; isRequired?: boolean };
};

const KINDS: Readonly<Record<FormKind, KindWords>> = {
  report: {
    title: 'Reports',
    path: 'reports',
    lead: 'Reports of wrong prices and cards, the oldest first. Accepting one publishes its reason with the corrections; a sale is taken out under Suspects.',
    nothing: 'No report is open.',
    accept: 'Accept and publish the reason',
    why: {
      label: 'Reason',
      hint: 'Of an accepted report it is published at /corrections: what was wrong with the number, nothing about the sender.',
      isRequired: true,
    },
  },
  application: {
    title: 'Partner applications',
    path: 'applications',
    lead: 'Applications for a key, the oldest first. Accepting one issues a key, whose secret is shown once.',
    nothing: 'No application is open.',
    accept: 'Accept and issue a key',
    why: { label: 'Reason', hint: 'A rejection needs one. It is not published.' },
  },
};

/** `reports` and `applications`: forms that a person has to decide on. */
export async function sentForms(view: DeskView, kind: FormKind): Promise<DeskContent> {
  const { title, path, lead, nothing } = KINDS[kind];
  const offset = wholeIn(view.query, 'offset', 0);
  const rows = await listSubmissions(view.world.db, { kind, state: 'open', limit: PAGE_ROWS + 1, offset });
  return {
    title,
    main: (
      <>
        <p class="muted">{lead}</p>
        {rows.length === 0 && <Nothing>{nothing}</Nothing>}
        {rows.slice(0, PAGE_ROWS).map((row) => (
          <Sent key={row.id} row={row} view={view} />
        ))}
        <Pager
          first={offset === 0 ? null : `${view.base}${path}`}
          next={rows.length > PAGE_ROWS ? `${view.base}${path}?offset=${offset + PAGE_ROWS}` : null}
        />
      </>
    ),
  };
}

const LABELS: Readonly<Record<string, string>> = {
  region: 'Region',
  salesFormat: 'Sells',
  contactEmail: 'E-mail',
  message: 'Message',
  sourceUrl: 'Evidence',
  cardHref: 'Card',
};

function Sent({ row: { id, kind, fields, received_at, sent_by_key }, view }: { row: SubmissionRow; view: DeskView }) {
  const { accept, why } = KINDS[kind];
  return (
    <section class="desk-item">
      <h2>{fields.shopName ?? CATEGORIES[fields.category ?? 'other'] ?? fields.category}</h2>
      <p class="muted small">
        Received <Day iso={received_at.toISOString()} />
        {sent_by_key !== null && ` with key ${sent_by_key}`} · <code>{id}</code>
      </p>
      <dl class="desk-facts">
        {Object.entries(fields)
          .filter(isBelowHeading)
          .map(([name, text]) => (
            <div key={name}>
              <dt>{LABELS[name] ?? name}</dt>
              <dd>
                <FieldValue name={name} text={text} baseUrl={view.world.config.baseUrl} />
              </dd>
            </div>
          ))}
      </dl>
      <form method="post" action={`${view.base}do/form`} class="desk-form" aria-label={`Decide on ${id}`}>
        <input type="hidden" name="id" value={id} />
        <FormParts token={view.token} back={view.back} id={id} why={why} />
        <div class="desk-buttons">
          <button type="submit" name="what" value="accept">
            {accept}
          </button>
          <button type="submit" name="what" value="reject" class="button-quiet">
            Reject
          </button>
        </div>
      </form>
    </section>
  );
}

function isBelowHeading([name]: [string, string]): boolean {
  return name !== 'shopName' && name !== 'category';
}

const CATEGORIES: Readonly<Record<string, string>> = {
  wrong_price: 'A price is wrong',
  wrong_card: 'A sale or picture is of another card',
  stale: 'Something is out of date',
  broken_link: 'A link is broken',
  other: 'Something else',
};

/** What a stranger sent: an address is a link only where it can be nothing but a page. */
function FieldValue({ name, text, baseUrl }: { name: string; text: string; baseUrl: string }) {
  if (name === 'cardHref' && text.startsWith('/card/')) return <a href={baseUrl + text}>{text}</a>;
  if (name === 'sourceUrl' && /^https?:\/\//.test(text))
    return (
      <a href={text} rel="noreferrer noopener">
        {text}
      </a>
    );
  return <span class="desk-sent">{text}</span>;
}
