import { expect, test } from 'vitest';
import { welcome } from './welcome.ts';

const environment = (id: string) => ({
  id,
  access: { url: `http://access.${id}` },
  secrets: { url: `http://secrets.${id}` },
  boxes: { url: `http://boxes.${id}` },
  modules: { url: `http://modules.${id}` },
});
const admin = { loginName: 'admin', password: 'shown once', passwordFile: '/data/admin-password' };

test('names each of several environments, and in a demo shows the password and that the data is deleted', () => {
  const environments = [environment('production'), environment('staging')];
  const said = welcome({ consoleUrl: 'http://console', environments, admin }, 'demo', 1234);
  expect(said).toContain('Gatehouse is ready (1.2 s).');
  expect(said).toMatch(/^ {2}Console +http:\/\/console$/m);
  for (const { id } of environments) {
    for (const name of ['Access', 'Secrets', 'Boxes', 'Modules']) {
      expect(said).toMatch(new RegExp(`^ {2}${name} API, ${id} +http://${name.toLowerCase()}\\.${id}$`, 'm'));
    }
  }
  expect(said).toMatch(/^ {2}Sign in as +admin$/m);
  expect(said).toMatch(/^ {2}Password +shown once$/m);
  expect(said).toContain('Everything here is sample data and is deleted at the end.');
});
