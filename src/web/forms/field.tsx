import type { ComponentChildren } from 'preact';
import type { TObject } from 'typebox';
import type { ProblemError } from '../../http/problem.ts';
import type { Typed } from './form.ts';

/** A field in words; `options` make it a choice. */
export type FieldText = {
  name: string;
  label: string;
  hint?: string;
  autocomplete?: string;
  options?: readonly (readonly [value: string, label: string])[];
};

type FieldProps = { field: FieldText; schema: TObject; typed: Typed; problem: ProblemError | null };

/** The input of a format; other text takes one line. */
const INPUT_TYPES: Readonly<Record<string, string>> = { email: 'email', 'web-address': 'url' };

/** One field with its label, its hint and its fault. The form's schema decides what it accepts. */
export function Field({ field: { name, label, hint, autocomplete, options }, schema, typed, problem }: FieldProps) {
  const { format = '', maxLength } = schema.properties[name] as { format?: string; maxLength?: number };
  const isRequired = schema.required.includes(name);
  const fault = faultOf(problem, name);
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
        {label} {!isRequired && options === undefined && <span class="muted">(optional)</span>}
      </label>
      {hint && (
        <p id={`${name}-hint`} class="field-hint">
          {hint}
        </p>
      )}
      {options ? (
        <select {...shared}>
          {options.map(([value, text]) => (
            <option key={value} value={value} selected={typed[name] === value}>
              {text}
            </option>
          ))}
        </select>
      ) : format === 'plain-text' ? (
        <textarea {...shared} rows={6}>
          {typed[name] ?? ''}
        </textarea>
      ) : (
        <input {...shared} type={INPUT_TYPES[format] ?? 'text'} value={typed[name] ?? ''} autocomplete={autocomplete} />
      )}
      {fault && (
        <p id={`${name}-fault`} class="field-fault">
          {fault}
        </p>
      )}
    </div>
  );
}

export function Notice({ kind, children }: { kind: 'done' | 'fault'; children: ComponentChildren }) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'fault' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/** Messages of the API begin with the field's own name, which visitors never see. */
function faultOf(problem: ProblemError | null, name: string): string | null {
  const fault = problem?.errors?.find(({ pointer }) => pointer === `/${name}`);
  if (fault === undefined) return null;
  if (fault.code === 'missing') return 'Required.';
  const message = fault.message.startsWith(`${name} `) ? fault.message.slice(name.length + 1) : fault.message;
  // The field shows what was sent.
  return `${message.replace(/^must be (.*); got .*$/s, 'Enter $1')}.`.replace(/^./, (first) => first.toUpperCase());
}
