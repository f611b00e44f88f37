/** Sample photos of the demo; `ops/demo/photos` makes them. */
export const SAMPLE_PHOTOS = [
  { href: '/demo/photos/card-on-wood.jpg', label: 'A card on a wooden table' },
  { href: '/demo/photos/card-on-slate.jpg', label: 'A card on slate, turned to the left' },
  { href: '/demo/photos/card-on-stone.jpg', label: 'A card on stone, turned to the right' },
] as const;

/** With scripts a click scans the photo; without, it opens the photo, to be saved and sent. */
export function ScanSamples() {
  return (
    <section class="scan-samples" aria-labelledby="scan-samples">
      <h2 id="scan-samples">No card at hand?</h2>
      <p class="muted">Try one of these photos. They are made of the drawings of this demonstration.</p>
      <ul>
        {SAMPLE_PHOTOS.map(({ href, label }) => (
          <li key={href}>
            <a href={href} data-sample>
              <img src={href} alt={label} width={120} height={150} loading="lazy" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
