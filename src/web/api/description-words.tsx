/** A description of the OpenAPI document: text between backticks is code. */
export function Words({ text }: { text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}</>;
}
