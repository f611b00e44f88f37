import type { ComponentChildren } from 'preact';
import { count } from './format.ts';

export type Chip = {
  href: string;
  name: ComponentChildren;
  /** How many there are of it. */
  size?: number;
  isCurrent?: boolean;
  rel?: string;
};

/** Links in a row; one of them may be the current choice. */
export function Chips({ links }: { links: readonly Chip[] }) {
  return (
    <ul class="chips">
      {links.map(({ href, name, size, isCurrent, rel }) => (
        <li key={href}>
          <a href={href} aria-current={isCurrent ? 'true' : undefined} rel={rel}>
            {name}
            {size !== undefined && (
              <>
                {' '}
                <span class="chip-count">{count(size)}</span>
              </>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}
