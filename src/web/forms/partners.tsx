import { apply } from '../../intake/apply.ts';
import { submit } from '../../intake/form-store.ts';
import { KEEP_DECIDED_DAYS } from '../../intake/queue.ts';
import type { WebContext } from '../context.ts';
import { count } from '../format.ts';
import { pageText } from '../layout.tsx';
import type { Page } from '../page.ts';
import { siteOf } from '../site/site.ts';
import { EMPTY_FORM, Field, FormFaults, type FormState, Notice } from './field.tsx';
import type { PageForm } from './form.ts';

const PATH = '/partners';

/** `/partners`: what a key gives, and the form to apply for one. */
export const partners: Page = {
  path: PATH,
  type: 'text/html',
  maxAgeSeconds: 300,
  answer: (context, { query }) => ({ body: partnersText(context, EMPTY_FORM, receivedOf(query.get('received'))) }),
};

export const partnersForm: PageForm = {
  path: PATH,
  policy: 'intake',
  fields: apply.body!,
  async submit(context, { typed, caller, request, waive }) {
    const { body } = await submit(
      context,
      { kind: 'application', fields: typed },
      { caller, headers: request.headers, waive },
    );
    return { seeOther: `${PATH}?received=${body.id}` };
  },
  again: (context, { typed }, problem) => partnersText(context, { typed, problem }, null),
};

/** Only an id of ours is shown: a UUID. */
export function receivedOf(text: string | null): string | null {
  return text !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : null;
}

function partnersText(context: WebContext, state: FormState, received: string | null): string {
  const { limits } = context.config;
  const budget = limits === null ? '' : `${count(limits.daily.partner)} requests a day, `;
  const description = `A key for shops, marketplaces and tools: ${budget}the same prices as on these pages.`;
  return pageText(siteOf(context), {
    title: 'Partners',
    description,
    path: PATH,
    trail: [{ name: 'Partners', href: PATH }],
    main: (
      <div class="wrap form-page">
        <div class="page-head prose">
          <h1>Partners</h1>
          <p class="lead">{description}</p>
          <ul>
            <li>
              Every route of the <a href="/api">API</a>. <a href="/v1/usage">/v1/usage</a> shows your current limits.
            </li>
            {limits && (
              <li>
                {count(limits.daily.partner)} requests a UTC day with a key; {count(limits.daily.public)} without one.
              </li>
            )}
            <li>Prices are the same for everyone; a key only raises your request limit.</li>
          </ul>
        </div>
        {received ? (
          <Notice kind="done">
            <strong>We have your application.</strong> A person reads it and answers by e-mail. Its reference is{' '}
            <code>{received}</code>.
          </Notice>
        ) : (
          <form method="post" action={PATH} class="form" aria-labelledby="apply" noValidate={state.problem !== null}>
            <h2 id="apply">Apply for a key</h2>
            <FormFaults {...state} />
            <Field
              state={state}
              name="shopName"
              label="Name of the shop or tool"
              maxLength={120}
              isRequired
              autocomplete="organization"
            />
            <Field
              state={state}
              name="region"
              label="Where you sell"
              hint="A country, or several."
              maxLength={120}
              isRequired
            />
            <Field
              state={state}
              name="salesFormat"
              label="How you sell"
              hint="Shop, auctions, online, an app …"
              maxLength={60}
              isRequired
            />
            <Field
              state={state}
              name="contactEmail"
              label="E-mail"
              type="email"
              maxLength={254}
              isRequired
              autocomplete="email"
            />
            <p class="muted small">
              We keep your application until we have decided on it, and for {KEEP_DECIDED_DAYS} days after that. We do
              not share it with anybody.
            </p>
            <button type="submit">Send application</button>
          </form>
        )}
      </div>
    ),
  });
}
