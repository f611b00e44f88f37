// How the building thread begins where the program runs from its sources: Node 20 gives threads no loader of the main one.
import { register } from 'tsx/esm/api';

register();
await import('./nearest-thread.ts');
