import { type ReadCert, readCert } from '../../catalog/cert.ts';
import { readHistory } from '../../graded/history/read-history.ts';
import { CERT_RULE, certOf } from '../../graded/lookup.ts';
import type { WebContext } from '../context.ts';
import { Notice } from '../forms/field.tsx';
import type { PageForm } from '../forms/form.ts';
import type { PageContent } from '../layout.tsx';
import type { Page } from '../page.ts';
import { siteOf } from '../site/site.ts';
import { LookupForm } from './cert-form.tsx';
import { certMarkdown } from './cert-markdown.ts';
import { CertResult, type ShownSlab, slabName } from './cert-result.tsx';
import { slabValue } from './slab-value.tsx';

const SHARE_IMAGE = '/share/cert.png';
const DESCRIPTION = 'Enter a cert number to identify a slab and see its value.';

/** `/cert`: the form; `/cert?cert=…` leads to the slab's own page. */
const certForm: Page = {
  path: '/cert',
  maxAgeSeconds: 3600,
  answer(context, { query }) {
    const typed = query.get('cert')?.trim() ?? '';
    const company = query.get('company') ?? '';
    const reading = readCert(/^\d/.test(typed) ? `${company}${typed}` : typed);
    if (typed !== '' && reading.kind !== 'invalid') return { movedTo: hrefOf(reading), withoutQuery: true };
    return formPage(context, typed);
  },
};

/** The form; with a text that is not a cert number, what one is. */
function formPage(context: WebContext, typed: string): PageContent {
  const { canScan } = siteOf(context);
  return {
    title: 'Slab lookup',
    description: DESCRIPTION,
    path: '/cert',
    shareImage: SHARE_IMAGE,
    section: 'cert',
    scripts: ['cert'],
    main: (
      <div class="wrap form-page">
        <div class="page-head prose">
          <h1>Slab lookup</h1>
          <p class="lead">{DESCRIPTION}</p>
        </div>
        {typed !== '' && (
          <Notice kind="fault">
            <strong>{typed.slice(0, 60)}</strong> is not a valid cert number. {CERT_RULE}
          </Notice>
        )}
        <LookupForm typed={typed} />
        {canScan && (
          <p class="prose muted">
            No number to hand? <a href="/scan">Take a photo of the slab</a>.
          </p>
        )}
      </div>
    ),
  };
}

/** `/cert/{cert}`: the stored lookup of a slab. Only its button starts a valuation. */
const certPage: Page = {
  path: '/cert/:cert',
  maxAgeSeconds: 60,
  readsPrimary: true,
  async answer(context, { params }) {
    const cert = readCert(params.cert!);
    if (cert.kind === 'invalid') return { ...formPage(context, params.cert!), status: 400, path: null, isHidden: true };
    if (params.cert !== cert.cert) return { movedTo: hrefOf(cert) };
    const { lookup, settled, recordedAt, mayFindMore } = await context.valuer.stored(cert);
    const [value, history] = await Promise.all([
      lookup.card ? slabValue(context, lookup.card) : null,
      readHistory(context, cert),
    ]);
    const shown = { cert, lookup, recordedAt, canAsk: mayFindMore, value, history };
    return { ...contentOf(context, shown), noStore: !settled };
  },
};

export const certPages: readonly Page[] = [certForm, certPage, certMarkdown];

/** The button without scripts: waits for the valuation, then shows the slab's page. */
export const certValuation: PageForm = {
  path: '/cert/:cert',
  policy: 'site',
  async submit(context, { params, disconnectSignal }) {
    const cert = certOf(params.cert!);
    const { mayFindMore } = await context.valuer.stored(cert);
    if (mayFindMore) await context.valuer.waitFor(cert, disconnectSignal());
    return { seeOther: hrefOf(cert) };
  },
};

function hrefOf({ cert }: Pick<ReadCert, 'cert'>): string {
  return `/cert/${cert}`;
}

function contentOf(context: WebContext, shown: ShownSlab): PageContent {
  const site = siteOf(context);
  const { cert, lookup } = shown;
  const { card } = lookup;
  const name = `${cert.company} ${cert.certNumber}`;
  return {
    title: card ? `${name}: ${slabName(lookup)}` : name,
    description: card
      ? `${card.name}, ${card.setName ?? ''} ${card.printedNumber ?? ''}: what this slab is worth, with range and date.`
      : `The slab with cert ${name}: its card, grade and reference price.`,
    path: hrefOf(cert),
    section: 'cert',
    isHidden: true,
    alternates: [{ type: 'text/markdown', href: `${hrefOf(cert)}.md` }],
    scripts: ['cert'],
    shareImage: card?.href ? `${card.href}.png` : SHARE_IMAGE,
    trail: [
      { name: 'Slab lookup', href: '/cert' },
      { name, href: hrefOf(cert) },
    ],
    main: <CertResult site={site} {...shown} />,
  };
}
