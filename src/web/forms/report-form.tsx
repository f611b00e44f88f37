import { Check } from 'typebox/value';
import { cardHref } from '../../intake/form-fields.ts';
import { report as reportEndpoint } from '../../intake/report.ts';
import type { Typed } from './form.ts';
import { intakeForm } from './intake-form.tsx';

/** `/report`: with `?card={href}` of that card. */
export const report = intakeForm({
  path: '/report',
  kind: 'report',
  schema: reportEndpoint.body!,
  title: 'Report a problem',
  lead: () => 'Report a wrong price, card or anything else. A person reviews every report.',
  prefilled(query): Typed {
    const card = query.get('card');
    return Check(cardHref, card) ? { cardHref: card } : {};
  },
  Opening: ({ typed }) =>
    typed.cardHref && (
      <>
        <p>
          About <a href={typed.cardHref}>{typed.cardHref}</a>
        </p>
        <input type="hidden" name="cardHref" value={typed.cardHref} />
      </>
    ),
  fields: [
    {
      name: 'category',
      label: 'What is it about?',
      options: [
        ['wrong_price', 'A price is wrong'],
        ['wrong_card', 'A sale or picture is of another card'],
        ['stale', 'Something is out of date'],
        ['broken_link', 'A link is broken'],
        ['other', 'Something else'],
      ],
    },
    { name: 'message', label: 'What is wrong?', hint: 'What you see, and what should be there.' },
    { name: 'sourceUrl', label: 'Link to evidence', hint: 'For example a sale listing. A person opens it.' },
    { name: 'contactEmail', label: 'E-mail', hint: 'Only if you want an answer.', autocomplete: 'email' },
  ],
  button: 'Send report',
  Received: ({ id }) => (
    <>
      <strong>We have your report.</strong> Its reference is <code>{id}</code>. Thank you.
    </>
  ),
});
