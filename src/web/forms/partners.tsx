import { apply } from '../../intake/apply.ts';
import { KEEP_DECIDED_DAYS } from '../../intake/queue.ts';
import { count } from '../format.ts';
import { intakeForm } from './intake-form.tsx';

/** `/partners`: the benefits of a key, and the form to apply for one. */
export const partners = intakeForm({
  path: '/partners',
  kind: 'application',
  schema: apply.body!,
  title: 'Partners',
  lead({ config: { limits } }) {
    const budget = limits === null ? '' : `${count(limits.daily.partner)} requests a day, `;
    return `A key for shops, marketplaces and tools: ${budget}the same prices as on these pages.`;
  },
  Introduction: ({ context: { config } }) => (
    <ul>
      <li>
        Every route of the <a href="/api">API</a>. <a href="/v1/usage">/v1/usage</a> shows your current limits.
      </li>
      {config.limits && (
        <li>
          {count(config.limits.daily.partner)} requests a UTC day with a key; {count(config.limits.daily.public)}{' '}
          without one.
        </li>
      )}
      <li>Prices are the same for everyone; a key only raises your request limit.</li>
    </ul>
  ),
  Opening: () => <h2>Apply for a key</h2>,
  fields: [
    { name: 'shopName', label: 'Name of the shop or tool', autocomplete: 'organization' },
    { name: 'region', label: 'Where you sell', hint: 'A country, or several.' },
    { name: 'salesFormat', label: 'How you sell', hint: 'Shop, auctions, online, an app …' },
    { name: 'contactEmail', label: 'E-mail', autocomplete: 'email' },
  ],
  closing: (
    <p class="muted small">
      We keep your application until we have decided on it, and for {KEEP_DECIDED_DAYS} days after that. We do not share
      it with anybody.
    </p>
  ),
  button: 'Send application',
  Received: ({ id }) => (
    <>
      <strong>We have your application.</strong> A person reads it and answers by e-mail. Its reference is{' '}
      <code>{id}</code>.
    </>
  ),
});
