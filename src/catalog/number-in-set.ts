/**
 * The number within its set of a printed number that begins with the set's code: `060` of `OP05-060` in OP05 (or OP-05),
 * `EN001` of `RA01-EN001`. A reprint keeps the whole of the number it was first printed with.
 */
export function numberInSet(printed: string | null, setCode: string | null): string | null {
  const parts = /^([A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*)-(.+)$/.exec(printed ?? '');
  return parts !== null && setCode !== null && plain(parts[1]!) === plain(setCode) ? parts[2]! : printed;
}

function plain(code: string): string {
  return code.toLowerCase().replace(/[^a-z0-9]/g, '');
}
