import type { ComponentChildren } from 'preact';

type Chip = { href: string; name: ComponentChildren; isCurrent?: boolean };

/** Links side by side; of some one is the chosen one. */
export function Chips({ links }: { links: readonly Chip[] }) {
  return (
    <ul class="chips">
      {links.map(({ href, name, isCurrent }) => (
        <li key={href}>
          <a href={href} aria-current={isCurrent ? 'true' : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}
