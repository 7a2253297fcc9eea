import { expect, test } from 'vitest';
import { matchingGroups, moduleQuestion } from './palette-search.ts';

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
