import type { ComponentChildren } from 'preact';
import type { TObject } from 'typebox';
import type { ProblemError } from '../../http/problem.ts';
import { type FormKind, submit } from '../../intake/form-store.ts';
import type { WebContext } from '../context.ts';
import type { PageContent } from '../layout.tsx';
import type { Page } from '../page.ts';
import { Field, type FieldText, Notice } from './field.tsx';
import type { PageForm, Typed } from './form.ts';

/** The typed values, their faults, and the id under which the form was stored. */
type FormState = { typed: Typed; problem: ProblemError | null; received: string | null };

type IntakeForm = {
  path: string;
  kind: FormKind;
  /** Of the same form of the API. */
  schema: TObject;
  title: string;
  lead(context: WebContext): string;
  /** Under the lead. */
  Introduction?(props: { context: WebContext }): ComponentChildren;
  /** Values that the address fills in. */
  prefilled?(query: URLSearchParams): Typed;
  /** Above the fields. */
  Opening?(props: { typed: Typed }): ComponentChildren;
  fields: readonly FieldText[];
  /** Above the button. */
  closing?: ComponentChildren;
  button: string;
  /** Shown instead of the form once it is stored. */
  Received(props: { id: string }): ComponentChildren;
};

/** A form that a person reads: its page, and the form that the page sends, stored as by the API. */
export function intakeForm(form: IntakeForm): { page: Page; form: PageForm } {
  const { path, kind, schema, prefilled = () => ({}) } = form;
  return {
    page: {
      path,
      maxAgeSeconds: 300,
      answer(context, { query }) {
        const received = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.exec(query.get('received') ?? '')?.[0] ?? null;
        return contentOf(context, form, { typed: prefilled(query), problem: null, received });
      },
    },
    form: {
      path,
      policy: 'intake',
      fields: schema,
      async submit(context, { typed, caller, request, waive }) {
        const { body } = await submit(context, { kind, fields: typed }, { caller, headers: request.headers, waive });
        return { seeOther: `${path}?received=${body.id}` };
      },
      again: (context, { typed }, problem) => contentOf(context, form, { typed, problem, received: null }),
    },
  };
}

function contentOf(context: WebContext, form: IntakeForm, { typed, problem, received }: FormState): PageContent {
  const { path, title, schema, fields, Introduction, Opening, Received, closing, button } = form;
  const lead = form.lead(context);
  return {
    title,
    description: lead,
    path,
    main: (
      <div class="wrap form-page">
        <div class="page-head prose">
          <h1>{title}</h1>
          <p class="lead">{lead}</p>
          {Introduction && <Introduction context={context} />}
        </div>
        {received ? (
          <Notice kind="done">
            <Received id={received} />
          </Notice>
        ) : (
          <form method="post" action={path} class="form" aria-label={title} noValidate={problem !== null}>
            {problem && (
              <Notice kind="fault">
                <strong>Not sent.</strong>{' '}
                {(problem.errors?.length ?? 0) > 1
                  ? `${problem.errors!.length} fields need fixing.`
                  : 'One field needs another look.'}
              </Notice>
            )}
            {Opening && <Opening typed={typed} />}
            {fields.map((field) => (
              <Field key={field.name} field={field} schema={schema} typed={typed} problem={problem} />
            ))}
            {closing}
            <button type="submit">{button}</button>
          </form>
        )}
      </div>
    ),
  };
}
