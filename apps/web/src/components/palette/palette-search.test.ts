import { expect, test } from 'vitest';
import { matchingGroups, moduleQuestion, roleQuestion, upgradeQuestion } from './palette-search.ts';

const item = (label: string, detail?: string) => ({
  id: label,
  label,
  ...(detail !== undefined && { detail }),
  onAction: () => undefined,
});
const groups = [
  { title: 'Places', items: [item('Targets'), item('Sessions')] },
  { title: 'Recent', items: [item('db-primary', '/local/targets/ttcp_1'), item('Target settings')] },
];
const labels = (text: string) =>
  matchingGroups(groups, text).map(({ title, items }) => [title, ...items.map(({ label }) => label)]);

test('without words everything, else what holds every word, best first, groups in their order', () => {
  expect(matchingGroups(groups, ' ')).toEqual(groups);
  expect(labels('target')).toEqual([
    ['Places', 'Targets'],
    ['Recent', 'Target settings', 'db-primary'],
  ]);
  expect(labels('db ttcp')).toEqual([['Recent', 'db-primary']]);
  expect(labels('nothing')).toEqual([]);
});

test('the question who uses a module is a search for the module', () => {
  expect(moduleQuestion('Who uses  vpc aws')).toEqual({ text: 'vpc aws', isWhoUses: true });
  for (const text of ['vpc', 'who uses', 'whouses vpc', 'see who uses vpc'])
    expect(moduleQuestion(text)).toEqual({ text, isWhoUses: false });
});

test('words that are not shown find an item too', () => {
  const places = [{ title: 'Places', items: [{ ...item('Plugins'), words: 'catalog sha256 hash binary' }] }];
  expect(matchingGroups(places, 'plugin hash').map(({ items }) => items.length)).toEqual([1]);
  expect(matchingGroups(places, 'plugin lease')).toEqual([]);
});

test('what is asked about a cloud role leads to that part of it', () => {
  const asked = (text: string) => {
    const { text: name, tab } = roleQuestion(text);
    return [name, tab];
  };
  expect(asked('who uses artifact-publisher')).toEqual(['artifact-publisher', 'targets']);
  expect(asked('revoke lease of ci')).toEqual(['ci', 'leases']);
  expect(asked('ci leases')).toEqual(['ci', 'leases']);
  expect(asked('generate credentials for deploy')).toEqual(['deploy', 'credentials']);
  expect(asked('deploy keys')).toEqual(['deploy', 'credentials']);
  for (const text of ['deploy', 'lease', 'credentials', 'keys-of-x'])
    expect(asked(text)).toEqual([text, undefined]);
});

test('an upgrade names its plugin', () => {
  expect(upgradeQuestion('Upgrade artifactory')).toBe('artifactory');
  for (const text of ['upgrade', 'artifactory', 'upgraded x']) expect(upgradeQuestion(text)).toBeUndefined();
});
