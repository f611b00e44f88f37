// How a worker begins where the program runs from its sources: Node 20 gives workers no loader of the main thread.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
