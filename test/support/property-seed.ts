import fc from 'fast-check';

// A run of the tests can be repeated: its properties try the same values, those of another seed where one is set.
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) });
