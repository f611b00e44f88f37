import type { VNode } from 'preact';
import { onlyPart } from '../../http/body/upload.ts';
import { Chips } from '../chips.tsx';
import type { WebContext } from '../context.ts';
import type { PageForm } from '../forms/form.ts';
import type { PageContent } from '../layout.tsx';
import type { Page } from '../page.ts';
import { siteOf } from '../site/site.ts';
import { lookAtPhoto } from './scan-looks.tsx';
import { ScanSamples } from './scan-samples.tsx';

const PATH = '/scan';
const DESCRIPTION = 'Take a photo of a card or a graded slab and see what it is and what it is worth.';

/** `/scan`: a photo in, its cards out. With scripts live; without, the next page shows the result. */
export const scan: Page = {
  path: PATH,
  maxAgeSeconds: 60,
  answer: (context) => (context.scanState.isOpen() ? openPage(context, null) : CLOSED),
};

/** Handles the form without scripts: the answer is a page without an address, since the photo is not stored. */
export const scanForm: PageForm = {
  path: PATH,
  policy: 'image',
  upload: { part: 'file', maxParts: 1 },
  async submit(context, { upload, disconnectSignal }) {
    const looking = lookAtPhoto(context, await onlyPart(upload()), disconnectSignal());
    let step = await looking.next();
    while (!step.done) step = await looking.next();
    return openPage(context, step.value);
  },
};

/** The page where there is nothing to compare a photo with. */
const CLOSED: PageContent = {
  title: 'Scan a card or slab',
  description: 'Photo search is not set up on this site yet.',
  path: PATH,
  isHidden: true,
  main: (
    <div class="wrap">
      <div class="page-head prose">
        <h1>Scan a card or slab</h1>
        <p class="lead">
          Photo search is not set up on this site yet. You can look up a slab by its number, or search by name.
        </p>
      </div>
      <Chips
        links={[
          { href: '/cert', name: 'Look up a slab' },
          { href: '/search', name: 'Search cards' },
          { href: '/card', name: 'Browse by game and set' },
        ]}
      />
    </div>
  ),
};

function openPage(context: WebContext, result: VNode | null): PageContent {
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
        {result === null && <ScanForm />}
        {result === null && site.isDemo && <ScanSamples />}
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
        {result !== null && <ScanForm />}
      </div>
    ),
  };
}

/** One button: what the photo shows is found out here. */
function ScanForm() {
  return (
    <form
      method="post"
      action={PATH}
      enctype="multipart/form-data"
      class="scan-form"
      aria-label="Scan"
      data-events={`${PATH}/events`}
    >
      <label for="photo">Photo of a card, of several cards, or of a slab</label>
      <p class="field-hint" id="photo-hint">
        Flat on a plain surface, all corners in the picture, no glare. JPEG, PNG, WebP or AVIF, up to 15 MB. Your photo
        is processed in memory and never stored.
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
        <button type="submit">Scan</button>
        <label class="button button-quiet scan-camera" hidden>
          Take a photo
          <input id="camera" type="file" accept="image/*" capture="environment" class="unseen" />
        </label>
      </div>
    </form>
  );
}
