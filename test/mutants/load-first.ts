import fc from 'fast-check';
import { load } from './load.ts';

// A property that fails is not shrunk: that could pass Stryker's limit of hits, and be taken for a loop without end.
fc.configureGlobal({ endOnFailure: true });

// Before any test: Stryker would take what the file does on loading for a part of the test that happens to load it first.
await load().catch(() => null);
