import type { VNode } from 'preact';
import { onlyPart } from '../../http/body/upload.ts';
import type { WebContext } from '../context.ts';
import type { PageForm } from '../forms/form.ts';
import type { PageContent } from '../layout.tsx';
import type { Page } from '../page.ts';
import { siteOf } from '../site/site.ts';
import type { ScanReader } from './scan-looks.tsx';
import { ScanSamples } from './scan-samples.tsx';

const PATH = '/scan';
const DESCRIPTION = 'Take a photo of a card or a graded slab and see what it is and what it is worth.';

/** `/scan`: a photo in, the card out. With scripts live; without, the next page shows the result. */
export const scan: Page = {
  path: PATH,
  maxAgeSeconds: 3600,
  answer: (context) => contentOf(context, null),
};

/** Handles the form without scripts: the answer is a page without an address, since the photo is not stored. */
export function scanForm(path: string, look: ScanReader): PageForm {
  return {
    path,
    policy: 'image',
    upload: { part: 'file', maxParts: 1 },
    async submit(context, { upload, disconnectSignal }) {
      const looking = look(context, await onlyPart(upload()), disconnectSignal());
      let step = await looking.next();
      while (!step.done) step = await looking.next();
      return contentOf(context, step.value);
    },
  };
}

function contentOf(context: WebContext, result: VNode | null): PageContent {
  const site = siteOf(context);
  return {
    title: 'Scan a card or slab',
    description: DESCRIPTION,
    path: PATH,
    section: 'scan',
    scripts: ['scan'],
    main: (
      <div class="wrap scan">
        <div class="page-head prose">
          <h1>Scan a card or slab</h1>
          <p class="lead">{DESCRIPTION}</p>
        </div>
        <form method="post" action="/scan/card" enctype="multipart/form-data" class="scan-form" aria-label="Scan">
          <label for="photo">Photo</label>
          <p class="field-hint" id="photo-hint">
            JPEG, PNG, WebP or AVIF, up to 15 MB. It is processed in memory and never stored.
          </p>
          <input
            id="photo"
            name="file"
            type="file"
            accept="image/jpeg,image/png,image/webp,image/avif"
            required
            aria-describedby="photo-hint"
          />
          <div class="scan-buttons">
            <button type="submit" data-events="/scan/card/events">
              Find the card
            </button>
            <button type="submit" class="button-quiet" formaction="/scan/slab" data-events="/scan/slab/events">
              Read the slab’s label
            </button>
          </div>
        </form>
        {site.isDemo && <ScanSamples />}
        <div class="scan-view">
          <figure class="scan-photo" hidden>
            <canvas id="scan-canvas" role="img" aria-label="Your photo"></canvas>
          </figure>
          <div>
            <ol class="stages" id="scan-stages" aria-live="polite" aria-label="Progress" hidden></ol>
            <div id="scan-result" aria-live="polite">
              {result}
            </div>
          </div>
        </div>
      </div>
    ),
  };
}
