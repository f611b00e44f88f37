import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { cardHref, contactEmail, message, sourceUrl } from './form-fields.ts';
import { FORM_HEADERS, RECEIVED, submit } from './form-store.ts';

/** `POST /v1/report`: reports wrong data; a person reviews it. */
export const report = endpoint({
  id: 'reportIssue',
  summary: 'Report wrong data; a person reviews it',
  headers: FORM_HEADERS,
  body: Type.Object(
    {
      message,
      category: Type.Optional(
        Type.Enum(['wrong_price', 'wrong_card', 'broken_link', 'stale', 'other'], {
          description: 'one of wrong_price, wrong_card, broken_link, stale and other',
        }),
      ),
      sourceUrl: Type.Optional(sourceUrl),
      cardHref: Type.Optional(cardHref),
      contactEmail: Type.Optional(contactEmail),
    },
    { additionalProperties: false },
  ),
  success: 201,
  response: RECEIVED,
  policy: 'intake',
  maxAgeSeconds: 'no-store',
  handle: (context, { body, ...sender }) => submit(context, { kind: 'report', fields: body }, sender),
});
