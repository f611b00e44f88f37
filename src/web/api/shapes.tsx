import { fieldsOf, type JsonSchema } from './answer-fields.ts';
import { FieldList } from './field-list.tsx';

/** Objects that several answers have, each with its fields. */
export function Shapes({ shapes }: { shapes: Readonly<Record<string, JsonSchema>> }) {
  return (
    <section aria-labelledby="shapes">
      <h2 id="shapes">Shapes</h2>
      <p class="prose">
        Objects that answers are or contain. A missing value is null; fields are added, never removed.
      </p>
      {Object.entries(shapes).map(([name, schema]) => (
        <details key={name} class="shape" id={`shape-${name}`}>
          <summary>
            <code>{name}</code>
          </summary>
          <FieldList fields={fieldsOf(schema)} />
        </details>
      ))}
    </section>
  );
}
