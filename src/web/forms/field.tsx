import type { ComponentChildren } from 'preact';
import type { ProblemError } from '../../http/problem.ts';
import type { Typed } from './form.ts';

/** What a form shows again: what was typed, and what is wrong with it. */
export type FormState = { typed: Typed; problem: ProblemError | null };

export const EMPTY_FORM: FormState = { typed: {}, problem: null };

type FieldProps = {
  state: FormState;
  name: string;
  label: string;
  hint?: string;
  type?: 'text' | 'email' | 'url' | 'textarea';
  maxLength: number;
  isRequired?: boolean;
  autocomplete?: string;
};

/** One field with its label, what it takes, and what is wrong with what was typed. */
export function Field({
  state,
  name,
  label,
  hint,
  type = 'text',
  maxLength,
  isRequired = false,
  autocomplete,
}: FieldProps) {
  const fault = faultOf(state, name);
  const described = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  const shared = {
    id: name,
    name,
    maxLength,
    required: isRequired,
    'aria-describedby': described || undefined,
    'aria-invalid': fault ? ('true' as const) : undefined,
  };
  return (
    <div class="field">
      <label for={name}>
        {label} {!isRequired && <span class="muted">(optional)</span>}
      </label>
      {hint && (
        <p id={`${name}-hint`} class="field-hint">
          {hint}
        </p>
      )}
      {type === 'textarea' ? (
        <textarea {...shared} rows={6}>
          {state.typed[name] ?? ''}
        </textarea>
      ) : (
        <input {...shared} type={type} value={state.typed[name] ?? ''} autocomplete={autocomplete} />
      )}
      <Fault name={name} fault={fault} />
    </div>
  );
}

/** A choice of few. */
export function Choice({
  state,
  name,
  label,
  options,
}: {
  state: FormState;
  name: string;
  label: string;
  options: readonly (readonly [value: string, label: string])[];
}) {
  const fault = faultOf(state, name);
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <select id={name} name={name} aria-describedby={fault ? `${name}-fault` : undefined}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={state.typed[name] === value}>
            {text}
          </option>
        ))}
      </select>
      <Fault name={name} fault={fault} />
    </div>
  );
}

/** Above a form that came back: that it did, and why. */
export function FormFaults({ problem }: FormState) {
  if (problem === null) return null;
  return (
    <Notice kind="fault">
      <strong>Not sent.</strong>{' '}
      {(problem.errors?.length ?? 0) > 1
        ? `${problem.errors!.length} fields need fixing.`
        : 'One field needs another look.'}
    </Notice>
  );
}

export function Notice({ kind, children }: { kind: 'done' | 'fault'; children: ComponentChildren }) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'fault' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

function Fault({ name, fault }: { name: string; fault: string | null }) {
  if (fault === null) return null;
  return (
    <p id={`${name}-fault`} class="field-fault">
      {fault}
    </p>
  );
}

/** Messages of the API begin with the field's own name, which visitors never see. */
function faultOf({ problem }: FormState, name: string): string | null {
  const fault = problem?.errors?.find(({ pointer }) => pointer === `/${name}`);
  if (fault === undefined) return null;
  if (fault.code === 'missing') return 'Required.';
  const said = fault.message.startsWith(`${name} `) ? fault.message.slice(name.length + 1) : fault.message;
  // What was sent is in the field.
  return `${said.replace(/^must be (.*); got .*$/s, 'Enter $1')}.`.replace(/^./, (first) => first.toUpperCase());
}
