// Entry of a child process where the program runs from its sources.
import { register } from 'tsx/esm/api';

register();
await import('./photo-worker.ts');
