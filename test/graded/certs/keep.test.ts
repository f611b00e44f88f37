import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ReadCert, readCert } from '../../../src/catalog/cert.ts';
import { keepRecord } from '../../../src/graded/certs/keep.ts';
import { knownCerts } from '../../../src/graded/certs/registry.ts';
import type { CertRecord } from '../../../src/graded/graders/grader.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

test('scans that this service serves are kept without its address, others as they are', async () => {
  const { db } = database;
  const cert = readCert('90000012') as ReadCert;
  const label = {
    text: '1999 Charizard',
    year: 1999,
    setText: '',
    cardNumber: null,
    subject: '',
    variety: null,
    language: null,
  };
  const images = { front: 'http://localhost:8080/demo/art/pokemon/4.svg', back: 'http://localhost:80801/b.jpg' };
  const record = { label, gradeText: 'GEM MT 10', isDeactivated: false, images, graderId: 'g', company: 'PSA' };
  await keepRecord({ db, baseUrl: 'http://localhost:8080' }, cert, record as unknown as CertRecord);
  const [known] = await knownCerts(db, [cert], 0);
  expect(known!.registered).toMatchObject({
    imageFront: '/demo/art/pokemon/4.svg',
    imageBack: 'http://localhost:80801/b.jpg',
  });
});
