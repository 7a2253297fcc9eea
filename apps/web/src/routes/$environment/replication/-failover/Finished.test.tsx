import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { knownSecondary, primaryCluster, secondaryCluster } from '../-clusters/sample-clusters.ts';
import type { Change } from './change.ts';
import { Finished } from './Finished.tsx';
import { keepChange } from './kept-change.ts';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
});

const filter = { mode: 'deny', paths: ['team/a', 'team/b'] } as const;
const primary = primaryCluster('a', { secondaries: [knownSecondary('b')] });
const [a, b] = [primary.place, secondaryCluster('b', 'a').place];
const there: Change = { kind: 'planned', from: a, to: b, others: [], dropped: filter };
const back: Change = { kind: 'planned', from: b, to: a, others: [] };

test('says that a filter deleted for the change must be saved again after switching back', () => {
  render(<Finished change={there} clusters={[]} />);
  expect(
    screen.getByText(/B had a paths filter \(all but 2 paths\).*Save the filter again after switching back/),
  ).toBeDefined();
});

test('links to the deleted filter after switching back, until a filter is saved', () => {
  keepChange(there);
  const secondary = secondaryCluster('b', 'a');
  const view = render(<Finished change={back} clusters={[primary, secondary]} />);
  expect(screen.getByRole('link', { name: 'Save the filter again' }).getAttribute('href')).toBe(
    '/a/replication/filters/b',
  );
  expect(screen.getByText(/all but team\/a, team\/b\./)).toBeDefined();
  const again = primaryCluster('a', { secondaries: [knownSecondary('b', { filter })] });
  view.rerender(<Finished change={back} clusters={[again, secondary]} />);
  expect(screen.queryByRole('link', { name: 'Save the filter again' })).toBeNull();
});
