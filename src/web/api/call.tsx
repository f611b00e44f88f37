import { AddressCode } from '../line-breaks.tsx';

/** A call on the command line with its button to copy it, which is there with scripts only. */
export function Call({ id, what, text }: { id: string; what: string; text: string }) {
  return (
    <div class="call">
      <pre>
        <code id={`curl-${id}`}>
          <AddressCode>{text}</AddressCode>
        </code>
      </pre>
      <button type="button" class="button-quiet small no-print" data-copy={`curl-${id}`} hidden>
        Copy<span class="unseen"> {what}</span>
      </button>
    </div>
  );
}
