/** Graders whose slabs are priced. */
export const GRADERS = ['PSA', 'BGS', 'CGC'] as const;

type LookupFormOf = { typed: string; company?: string };

/** A cert number with its grader; the answer is the page of the slab. */
export function LookupForm({ typed, company = 'PSA' }: LookupFormOf) {
  return (
    <form action="/cert" method="get" class="form cert-form" aria-label="Slab lookup">
      <div class="field">
        <label for="company">Grader</label>
        <select id="company" name="company">
          {GRADERS.map((one) => (
            <option key={one} selected={one === company}>
              {one}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="cert">Cert number</label>
        <input
          id="cert"
          name="cert"
          value={typed.slice(0, 40)}
          maxLength={40}
          required
          autocomplete="off"
          inputMode="numeric"
        />
      </div>
      <button type="submit">Look up</button>
    </form>
  );
}
