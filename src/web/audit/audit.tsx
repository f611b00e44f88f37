import { readSuspects } from '../../audit/audit-page.ts';
import { suspectCursor } from '../../audit/audit-route.ts';
import type { Page } from '../page.ts';
import { siteOf } from '../site/site.ts';
import { SuspectList } from './suspect-list.tsx';

export const SUSPECTS_A_PAGE = 50;
export const AUDIT_DESCRIPTION =
  'Prices and ids that may be on the wrong card, with the evidence and what was decided: shared ids, swapped printings, shifted sets and others.';

/** `/audit`: open and decided suspects, newest first; `after` goes on to older ones. */
export const auditOfAll: Page = {
  path: '/audit',
  maxAgeSeconds: 60,
  async answer(context, { query }) {
    const site = siteOf(context);
    const after = query.get('after') ?? '';
    const page = await readSuspects(context.db, { before: suspectCursor(after), limit: SUSPECTS_A_PAGE });
    return {
      title: 'Audit',
      description: AUDIT_DESCRIPTION,
      path: '/audit',
      hasBreadcrumbs: true,
      trail: [{ name: 'Audit', href: '/audit' }],
      alternates: [{ type: 'text/markdown', href: '/audit.md' }],
      isHidden: after !== '',
      blocks: [
        {
          '@context': 'https://schema.org',
          '@type': 'CollectionPage',
          name: 'Audit',
          url: `${site.baseUrl}/audit`,
          description: AUDIT_DESCRIPTION,
          isPartOf: { '@id': `${site.baseUrl}/#website` },
          publisher: { '@id': `${site.baseUrl}/#organization` },
        },
      ],
      main: (
        <div class="wrap">
          <div class="page-head prose">
            <h1>Audit</h1>
            <p class="lead">
              Each night, ids, prices and titles of sales are checked for signs that they are on the wrong card. The
              price of a suspect is withheld until a person decides that it is right, or the data have changed.
            </p>
          </div>
          <p class="muted prose">
            A suspect is not proof of a fault. <a href="/report">Report a wrong number</a>, or read the{' '}
            <a href="/v1/audit">data</a>.
          </p>
          {page.suspects.length === 0 ? (
            <p class="empty">{after === '' ? 'Nothing is suspect.' : 'There are no older suspects.'}</p>
          ) : (
            <SuspectList suspects={page.suspects} items={page.items} />
          )}
          {page.nextCursor !== null && (
            <p>
              <a href={`/audit?after=${page.nextCursor}`} rel="next">
                Older suspects
              </a>
            </p>
          )}
        </div>
      ),
    };
  },
};
