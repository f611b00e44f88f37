import type { Page } from '../page.ts';

/** `/watch`: the watchlist of the browser that opens it. The server knows nothing of it. */
export const watchPage: Page = {
  path: '/watch',
  maxAgeSeconds: 3600,
  answer: () => ({
    title: 'Watchlist',
    description: 'Cards that you watch, with their value and its change. The list is kept in your browser only.',
    path: '/watch',
    section: 'watch',
    hasBreadcrumbs: true,
    trail: [{ name: 'Watchlist', href: '/watch' }],
    scripts: ['watch'],
    main: (
      <div class="wrap">
        <div class="page-head">
          <h1>Watchlist</h1>
          <p class="lead">
            Cards with a star, with their value and its change. The list is kept in this browser only: there is no
            account, and we never see it.
          </p>
        </div>
        <p id="watch-needs" class="empty">
          The watchlist needs JavaScript, because it is stored in your browser and not on our server. With JavaScript
          on, every card has a star that adds it here.
        </p>
        <div id="watch" hidden>
          <p id="watch-empty" class="empty" hidden>
            Nothing is on your watchlist yet. Press the star on a card to add it: <a href="/card">browse cards</a>,{' '}
            <a href="/movers">movers</a>, or search above.
          </p>
          <div id="watch-list" hidden>
            <dl class="set-summary">
              <div>
                <dt>Value</dt>
                <dd>
                  <strong id="watch-value" />
                  <span id="watch-unpriced" class="row-note" />
                </dd>
              </div>
              <div>
                <dt>7 days</dt>
                <dd>
                  <strong id="watch-move" />
                </dd>
              </div>
              <div>
                <dt>Gain over cost</dt>
                <dd>
                  <strong id="watch-gain" />
                </dd>
              </div>
            </dl>
            <div class="table-room">
              <table class="list-table watch-table">
                <thead>
                  <tr>
                    <th scope="col">Card</th>
                    <th scope="col" class="num">
                      Price
                    </th>
                    <th scope="col" class="num wide-only">
                      7 days
                    </th>
                    <th scope="col" class="num">
                      Quantity
                    </th>
                    <th scope="col" class="num">
                      Cost each
                    </th>
                    <th scope="col">
                      <span class="unseen">Remove</span>
                    </th>
                  </tr>
                </thead>
                <tbody id="watch-rows" />
              </table>
            </div>
            <p class="muted small">
              A card is priced at PSA 10 where that grade has sold and has a price, otherwise at its grade with the most
              sales in the past year. The grade is named below the card.
            </p>
          </div>
          <div class="list-filter">
            <button type="button" id="watch-export" class="button-quiet">
              Save as a file
            </button>
            <label>
              Add from a file
              <input type="file" id="watch-import" accept=".json,application/json" />
            </label>
          </div>
          <p id="watch-said" role="status" />
        </div>
      </div>
    ),
  }),
};
