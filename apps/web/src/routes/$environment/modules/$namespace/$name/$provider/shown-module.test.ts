import type { ModuleVersion } from '@gatehouse/api-types/console/modules';
import { expect, test } from 'vitest';
import { testContent, testFolder } from '#routes/$environment/modules/test-module.ts';
import { readmeLink } from './shown-module.ts';

const versionFrom = (source: string, tag = ''): ModuleVersion => ({
  version: '1.2.0',
  revision: '',
  owner: '',
  description: '',
  source,
  tag,
  published_time: '',
  deprecation: null,
  archive: null,
  content: testContent(
    {},
    {
      submodules: [testFolder({ path: 'modules/a b' })],
      examples: [testFolder({ path: 'examples/small' })],
    },
  ),
});
const place = { environment: 'local', namespace: 'acme', name: 'net', provider: 'aws' };
const module = '/local/modules/acme/net/aws';
const github = 'https://github.com/acme/terraform-aws-net';

test.each([
  ['', 'examples/small', `${module}?version=1.2.0&submodule=examples%2Fsmall`],
  ['', './modules/a%20b/README.md#usage', `${module}?version=1.2.0&submodule=modules%2Fa+b#usage`],
  ['modules/a b', '../../examples/small/', `${module}?version=1.2.0&submodule=examples%2Fsmall`],
  ['modules/a b', '/', `${module}?version=1.2.0`],
  ['modules/a b', '../../', `${module}?version=1.2.0`],
  ['modules/a b', 'main.tf#L3', `${github}/blob/v1.2.0/modules/a%20b/main.tf#L3`],
  ['', '../../../LICENSE', `${github}/blob/v1.2.0/LICENSE`],
  ['', '//evil.example/x', undefined],
  ['', 'javascript:alert(1)', undefined],
  ['', 'http://[', undefined],
])('in the README of "%s", %s opens its target', (from, href, to) => {
  const shown = { place, version: versionFrom(github), search: { version: '1.2.0' } };
  expect(readmeLink(shown, from, href)).toBe(to);
});

test.each([
  [`${github}.git`, '1.2.0', `${github}/blob/1.2.0/LICENSE`],
  ['https://gitlab.com/acme/infra/net/', '', 'https://gitlab.com/acme/infra/net/-/blob/v1.2.0/LICENSE'],
  [github, '..', undefined],
  ['https://git.example.com/acme/net', '', undefined],
  ['', '', undefined],
])('links a file of the version in the repository %j, tag %j', (source, tag, to) => {
  expect(readmeLink({ place, version: versionFrom(source, tag), search: {} }, '', 'LICENSE')).toBe(to);
});
