/**
 * `node --import tsx bench/http/overview-hot.ts [rounds]`: the overview from the response cache, with every header,
 * next to bare `node:http` sending the same bytes: plain, and compressed as a browser gets it. Prints server CPU a request
 * of both, their ratio (aim: at most 2), and the rate (aim: at least 10,000 a second of one core). Rounds alternate;
 * medians are printed with the least and the most.
 */
import { compareHot } from './hot-compare.ts';
import { benchDatabase, fillPricedItems } from './http-database.ts';
import { startServer } from './http-load.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const AIM_RATIO = 2;

const database = await benchDatabase();
try {
  const [path] = await fillPricedItems(database.db, 300);
  const app = await startServer({ serve: 'app', connection: database.connection, cacheMb: 64 });
  await compareHot(app, path!, ROUNDS, AIM_RATIO);
  app.stop();
} finally {
  await database.stop();
}
