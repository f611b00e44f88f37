import { submit } from '../../intake/form-store.ts';
import { report as reportEndpoint } from '../../intake/report.ts';
import type { WebContext } from '../context.ts';
import { pageText } from '../layout.tsx';
import type { Page } from '../page.ts';
import { siteOf } from '../site/site.ts';
import { Choice, EMPTY_FORM, Field, FormFaults, type FormState, Notice } from './field.tsx';
import type { PageForm, Typed } from './form.ts';
import { receivedOf } from './partners.tsx';

const PATH = '/report';
const DESCRIPTION = 'Report a wrong price, card or anything else. A person reviews every report.';

const CATEGORIES = [
  ['wrong_price', 'A price is wrong'],
  ['wrong_card', 'A sale or picture is of another card'],
  ['stale', 'Something is out of date'],
  ['broken_link', 'A link is broken'],
  ['other', 'Something else'],
] as const;

/** `/report`: with `?card={href}` of that card. */
export const report: Page = {
  path: PATH,
  type: 'text/html',
  maxAgeSeconds: 300,
  answer(context, { query }) {
    const card = query.get('card') ?? '';
    const typed: Typed =
      /^\/card\/[a-z0-9-]+\/[a-z0-9-]+\/[A-Za-z0-9-]+$/.test(card) && card.length <= 400 ? { cardHref: card } : {};
    return { body: reportText(context, { ...EMPTY_FORM, typed }, receivedOf(query.get('received'))) };
  },
};

export const reportForm: PageForm = {
  path: PATH,
  policy: 'intake',
  fields: reportEndpoint.body!,
  async submit(context, { typed, caller, request, waive }) {
    const { body } = await submit(
      context,
      { kind: 'report', fields: typed },
      { caller, headers: request.headers, waive },
    );
    return { seeOther: `${PATH}?received=${body.id}` };
  },
  again: (context, { typed }, problem) => reportText(context, { typed, problem }, null),
};

function reportText(context: WebContext, state: FormState, received: string | null): string {
  const { cardHref } = state.typed;
  return pageText(siteOf(context), {
    title: 'Report a problem',
    description: DESCRIPTION,
    path: PATH,
    trail: [{ name: 'Report a problem', href: PATH }],
    main: (
      <div class="wrap form-page">
        <div class="page-head prose">
          <h1>Report a problem</h1>
          <p class="lead">{DESCRIPTION}</p>
        </div>
        {received ? (
          <Notice kind="done">
            <strong>We have your report.</strong> Its reference is <code>{received}</code>. Thank you.
          </Notice>
        ) : (
          <form
            method="post"
            action={PATH}
            class="form"
            aria-label="Report a problem"
            noValidate={state.problem !== null}
          >
            <FormFaults {...state} />
            {cardHref && (
              <p>
                About <a href={cardHref}>{cardHref}</a>
              </p>
            )}
            {cardHref && <input type="hidden" name="cardHref" value={cardHref} />}
            <Choice state={state} name="category" label="What is it about?" options={CATEGORIES} />
            <Field
              state={state}
              name="message"
              label="What is wrong?"
              hint="What you see, and what should be there."
              type="textarea"
              maxLength={2000}
              isRequired
            />
            <Field
              state={state}
              name="sourceUrl"
              label="Link to evidence"
              hint="For example a sale listing. A person opens it."
              type="url"
              maxLength={2000}
            />
            <Field
              state={state}
              name="contactEmail"
              label="E-mail"
              hint="Only if you want an answer."
              type="email"
              maxLength={254}
              autocomplete="email"
            />
            <button type="submit">Send report</button>
          </form>
        )}
      </div>
    ),
  });
}
