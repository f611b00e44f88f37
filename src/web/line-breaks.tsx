import type { ComponentChildren } from 'preact';

/** A day such as `12 Aug 2025`, and a season such as `2003-04`. */
const WHOLES =
  /(\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?: \d{4})?\b|(?<![\d-])\d{4}-\d{2,4}(?![\d-]))/;

/** A sentence whose days and seasons stay on one line: `Priced from 12 Aug 2025 on.` */
export function WholeDays({ children }: { children: string }): ComponentChildren {
  if (!WHOLES.test(children)) return children;
  return children.split(WHOLES).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={at} class="number">
        {part}
      </span>
    ),
  );
}

/** After the marks that divide an address, not within its `://`. */
export const DIVIDERS = /(?<=[^/:\s]\/|[?&=])(?=[^/\s'])/;

/** Code with an address, which breaks between its parts before it breaks within one; copied, it is the same text. */
export function AddressCode({ children }: { children: string }): ComponentChildren {
  return children.split(DIVIDERS).flatMap((part, at) => {
    const whole = <WholeDays key={at}>{part}</WholeDays>;
    return at === 0 ? [whole] : [<wbr key={`break ${at}`} />, whole];
  });
}
