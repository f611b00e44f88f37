import type { AnswerField } from './answer-fields.ts';
import { Words } from './description-words.tsx';

/** Fields or parameters, each with its type and meaning. */
export function FieldList({ fields }: { fields: readonly AnswerField[] }) {
  return (
    <dl class="fields">
      {fields.map(({ name, type, shape, description }) => (
        <div key={name}>
          <dt>
            <code>{name}</code> <span>{shape === null ? type : <a href={`#shape-${shape}`}>{type}</a>}</span>
          </dt>
          {description !== '' && (
            <dd>
              <Words text={description} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
