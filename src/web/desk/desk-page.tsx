import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { type DeskCounts, MOST_COUNTED } from '../../desk/desk-counts.ts';
import { count } from '../format.ts';
import { Notice } from '../forms/field.tsx';
import { Mark } from '../site/header-icons.tsx';
import type { DeskNotice } from './desk-session.ts';

/** The sections of the desk in the order of the navigation, with what each counts. */
const DESK_SECTIONS = [
  ['unmatched', 'Unmatched', 'unmatched'],
  ['suspects', 'Suspects', 'suspects'],
  ['identities', 'Identities', 'identities'],
  ['reports', 'Reports', 'reports'],
  ['applications', 'Applications', 'applications'],
  ['rejected', 'Rejected rows', 'rejected'],
  ['sources', 'Sources', 'failing'],
  ['imports', 'Imports', null],
  ['decisions', 'Decisions', null],
] as const satisfies readonly (readonly [string, string, keyof DeskCounts | null])[];

export type DeskSection = (typeof DESK_SECTIONS)[number][0];

/** A page of the desk: its title, and its content below the heading. */
export type DeskContent = { title: string; main: VNode };

type DeskFrame = {
  serviceName: string;
  by: string;
  /** Null where nobody has signed in: a page of one sentence. */
  counts: DeskCounts | null;
  section: DeskSection | null;
  notice: DeskNotice | null;
  /** The desk's folder, as its pages address it. */
  base: string;
};

/** A page of the desk as text. It has no scripts. */
export function deskPageText({ title, main }: DeskContent, frame: DeskFrame): string {
  const { serviceName, counts, notice, base, by } = frame;
  return `<!doctype html>${renderToString(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · Desk · ${serviceName}`}</title>
        <link rel="icon" href={`${base}icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${base}site.css`} />
        <link rel="stylesheet" href={`${base}desk.css`} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="site-header">
          <div class="wrap">
            <a class="brand" href={base}>
              <Mark />
              <span class="brand-name">Desk</span>
            </a>
            <span class="desk-whose muted small">
              {serviceName}, as {by}
            </span>
            {counts !== null && <Sections {...frame} counts={counts} />}
          </div>
        </header>
        <main id="main" tabIndex={-1}>
          <div class="wrap">
            <div class="page-head">
              <h1>{title}</h1>
            </div>
            {notice !== null && <NoticeOf notice={notice} />}
            {main}
          </div>
        </main>
      </body>
    </html>,
  )}`;
}

function Sections({ counts, section, base }: DeskFrame & { counts: DeskCounts }) {
  return (
    <nav aria-label="Sections" class="desk-sections">
      <ul>
        {DESK_SECTIONS.map(([name, label, counted]) => (
          <li key={name}>
            <a href={base + name} aria-current={section === name ? 'page' : undefined}>
              {label}
              {counted !== null && counts[counted] > 0 && (
                <span class="chip-count">{waitingText(counts[counted])}</span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A count of what waits: `1,000 or more` where it was not counted further. */
export function waitingText(waiting: number): string {
  return waiting >= MOST_COUNTED ? `${count(waiting)}+` : count(waiting);
}

function NoticeOf({ notice: { kind, text, key } }: { notice: DeskNotice }) {
  return (
    <Notice kind={kind}>
      <p>{text}</p>
      {key && (
        <>
          <p>
            <code>X-Api-Key: {key.id}</code>
            <br />
            <code>X-Api-Secret: {key.secret}</code>
          </p>
          <p>
            The secret is shown this once; only its hash is kept. Send both to <strong>{key.contactEmail}</strong>.
          </p>
        </>
      )}
    </Notice>
  );
}

/** Nothing waits in a section. */
export function Nothing({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** The ways to the first page and to the next one; `next` is its address, null on the last. */
export function Pager({ first, next }: { first: string | null; next: string | null }) {
  if (first === null && next === null) return null;
  return (
    <nav class="desk-pager" aria-label="Pages">
      {first !== null && <a href={first}>First page</a>}
      {next !== null && (
        <a href={next} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
}

/** The hidden fields and the reason of a form of the desk. */
export function FormParts({ token, back, id, why }: FormPartsOf) {
  return (
    <>
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="back" value={back} />
      <div class="field">
        <label for={`${id}-why`}>
          {why.label} {!why.isRequired && <span class="muted">(optional)</span>}
        </label>
        {why.hint && <p class="field-hint">{why.hint}</p>}
        <input id={`${id}-why`} name="why" maxLength={500} required={why.isRequired} autocomplete="off" />
      </div>
    </>
  );
}

export type FormPartsOf = {
  token: string;
  /** The page of the desk that the form is on: it is shown again afterwards. */
  back: string;
  /** Of the form, unique in its page. */
  id: string;
  why: { label: string; hint?: string; isRequired?: boolean };
};
