import type { ModuleContent } from '@gatehouse/api-types/console/modules';
import { expect, test } from 'vitest';
import { testContent, testFolder, testInput } from '#routes/$environment/modules/test-module.ts';
import { checksOf } from './archive-checks.ts';

const root = testFolder({
  name: 'network',
  readme: '# Network',
  inputs: [testInput('cidr', { description: 'The range.' })],
  outputs: [{ name: 'id', description: 'Its ID.', sensitive: false, ephemeral: false, deprecated: '' }],
  provider_dependencies: [
    { name: 'aws', namespace: 'hashicorp', source: 'hashicorp/aws', version: '>= 5.0', aliases: [] },
  ],
});
const content = testContent(root, { from: 'archive' });
const concerns = (given: ModuleContent): readonly string[] =>
  checksOf(given)
    .filter(({ isFine }) => !isFine)
    .map(({ text }) => text);

test('finds nothing missing in a complete module', () => {
  expect(concerns(content)).toEqual([]);
  expect(checksOf(content)).toHaveLength(3);
});

test('counts missing descriptions, types and constraints', () => {
  const [input] = root.inputs;
  const bare = {
    ...root,
    readme: ' ',
    inputs: [{ ...input!, description: '', type: '' }, ...root.inputs],
    outputs: root.outputs.map((output) => ({ ...output, description: '' })),
    provider_dependencies: [{ name: 'aws', namespace: '', source: '', version: '', aliases: [] }],
  };
  const text = concerns({ ...content, root: bare }).join(' ');
  expect(text).toContain('No README');
  expect(text).toContain('1 input without a description.');
  expect(text).toContain('1 input without a type.');
  expect(text).toContain('1 output without a description.');
  expect(text).toContain('the provider aws');
});

test('reports unreadable files without refusing the version', () => {
  const problems = [{ path: 'main.tf', message: 'x' }];
  expect(concerns({ ...content, problems }).join()).toContain('You can publish it anyway.');
  expect(concerns({ ...content, from: 'nobody', root: null, reason: 'The reader broke.' }).join()).toContain(
    'The reader broke.',
  );
});

test('finds nothing missing at the root of a module with only submodules', () => {
  const empty = { ...root, empty: true, inputs: [], outputs: [], provider_dependencies: [] };
  expect(concerns({ ...content, root: empty })).toEqual(['The module declares nothing.']);
  const submodules = [{ ...root, path: 'modules/peer', name: 'peer' }];
  expect(concerns({ ...content, root: empty, submodules })).toEqual([]);
});
