// A child process of a pool with tasks of its own: src/vision/pool/from-source.mjs for tests.
import { register } from 'tsx/esm/api';

register();
await import('./pool-worker.ts');
