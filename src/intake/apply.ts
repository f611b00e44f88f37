import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { contactEmail, line } from './form-fields.ts';
import { FORM_HEADERS, RECEIVED, submit } from './form-store.ts';

/** `POST /v1/partners/apply`: an application for a partner key; a person answers. */
export const apply = endpoint({
  id: 'applyForPartnerKey',
  summary: 'Apply for a partner key; a person answers by e-mail',
  headers: FORM_HEADERS,
  body: Type.Object(
    {
      shopName: line(120, 'the name of the shop'),
      region: line(120, 'where it sells'),
      salesFormat: line(60, 'how it sells, such as shop, auctions or online'),
      contactEmail,
    },
    { additionalProperties: false },
  ),
  success: 201,
  response: RECEIVED,
  policy: 'intake',
  maxAgeSeconds: 'no-store',
  handle: (context, { body, ...sender }) => submit(context, { kind: 'application', fields: body }, sender),
});
