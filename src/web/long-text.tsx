import type { ComponentChildren } from 'preact';
import type { Heading } from './prose/markdown.ts';

/** From so many parts on a text has a list of them. */
const MIN_CONTENTS = 3;

type LongTextOf = {
  head: ComponentChildren;
  contents: readonly Heading[];
  children: ComponentChildren;
};

/** A text with its contents: next to it where there is room, else above it. */
export function LongText({ head, contents, children }: LongTextOf) {
  return (
    <div class="wrap document">
      {head}
      <div class="with-contents">
        {contents.length >= MIN_CONTENTS && (
          <nav class="contents" aria-label="Contents">
            <p>Contents</p>
            <ul>
              {contents.map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`} dangerouslySetInnerHTML={{ __html: title }} />
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div class="prose">{children}</div>
      </div>
    </div>
  );
}
