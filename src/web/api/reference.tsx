import type { Config } from '../../config.ts';
import type { Mounting } from '../../http/endpoint.ts';
import type { WebContext } from '../context.ts';
import type { Page } from '../page.ts';
import { siteOf } from '../site/site.ts';
import { FIRST_PARTS, FirstParts } from './first-parts.tsx';
import { type ApiDocument, groupsOf, type RouteGroup } from './operations.ts';
import { RouteText, type RouteWorld } from './route-text.tsx';
import { sampleAnswers } from './sample-answers.ts';
import { Shapes } from './shapes.tsx';

const DESCRIPTION = 'Every endpoint, with parameters, answers, limits and errors.';

/** `/api`: the reference for people, drawn from the OpenAPI document that programs read. */
export function apiReference(
  routes: () => readonly Mounting<WebContext>[],
  documentOf: (config: Config) => object,
): Page {
  return {
    path: '/api',
    maxAgeSeconds: 3600,
    async answer(context) {
      const document = documentOf(context.config) as ApiDocument;
      const samples = await sampleAnswers(context, routes());
      const { values } = samples;
      const { baseUrl } = siteOf(context);
      const groups = groupsOf(document);
      return {
        title: 'API reference',
        description: DESCRIPTION,
        path: '/api',
        alternates: [{ type: 'application/atom+xml', href: '/changelog.xml', title: 'API changelog' }],
        scripts: ['site'],
        noStore: !samples.isWhole,
        main: (
          <div class="wrap api">
            <div class="page-head prose">
              <h1>API reference</h1>
              <p class="lead">{DESCRIPTION}</p>
            </div>
            <div class="with-side">
              <SideNavigation groups={groups} />
              <div class="side-text">
                <FirstParts baseUrl={baseUrl} limits={context.config.limits} query={values.q!} />
                {groups.map((group) => (
                  <Group key={group.id} group={group} world={{ ...samples, baseUrl }} />
                ))}
                <Shapes shapes={document.components.schemas} />
              </div>
            </div>
          </div>
        ),
      };
    },
  };
}

function SideNavigation({ groups }: { groups: readonly RouteGroup[] }) {
  return (
    <nav class="side" aria-label="On this page">
      <ul>
        {[...FIRST_PARTS, ...groups, { id: 'shapes', title: 'Shapes' }].map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Group({ group: { id, title, routes }, world }: { group: RouteGroup; world: RouteWorld }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {id === 'cards' && <WaysToName values={world.values} />}
      {routes.map((route) => (
        <RouteText key={route.id} route={route} world={world} />
      ))}
    </section>
  );
}

function WaysToName({ values: { game, set, item, id } }: Pick<RouteWorld, 'values'>) {
  const ways = [
    [
      `${game}/${set}/${item}`,
      'As in the address of its page: game, set and card. With a grade at its end, as -psa-10, at that grade.',
    ],
    [`by-id/${id}`, 'By the id of the card. The parameter grade selects a grade.'],
    ['by-upstream-id/{rid}', 'By your own id, where the operator has imported ids of an inventory.'],
    [
      'by-external-id/{space}/{id}',
      'By an id of another program, as scryfall or tcgplayer. Where several printings have it, variation or language names one.',
    ],
  ] as const;
  return (
    <div class="prose" id="card">
      <h3>Four ways to name a card</h3>
      <p>Views of one card have four addresses, all with the same answer:</p>
      <dl class="fields">
        {ways.map(([way, meaning]) => (
          <div key={way}>
            <dt>
              <code>/v1/items/{way}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
