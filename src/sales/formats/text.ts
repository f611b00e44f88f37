const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `Sep 3, 2025` as `2025-09-03`; text of another form is returned as it is, for the date check to refuse. */
export function englishDate(text: string): string {
  const match = /^([a-z]{3})[a-z]* (\d{1,2}), (\d{4})$/i.exec(text.trim());
  const month = match === null ? -1 : MONTHS.indexOf(match[1]!.toLowerCase());
  if (match === null || month === -1) return text;
  return `${match[3]}-${String(month + 1).padStart(2, '0')}-${match[2]!.padStart(2, '0')}`;
}
