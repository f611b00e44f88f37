// Starts the thread where the program runs from its sources: threads of Node 20 do not inherit the loader of TypeScript.
import { register } from 'tsx/esm/api';

register();
await import('./scan-thread.ts');
