// Starts a thread where the program runs from its sources: threads of Node 20 do not inherit the loader of TypeScript.
import { workerData } from 'node:worker_threads';
import { register } from 'tsx/esm/api';

register();
await import(workerData);
