import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { TreeView } from './TreeView.tsx';

afterEach(cleanup);

const nodes = [
  {
    id: 'global',
    label: 'global',
    children: [
      { id: 'o_acme', label: 'Acme', children: [{ id: 'p_web', label: 'web' }] },
      { id: 'o_labs', label: 'Labs' },
    ],
  },
];

function Scopes({ chosen }: { chosen: string[] }) {
  const [selected, setSelected] = useState<string | null>(null);
  const [expanded, setExpanded] = useState<string[]>([]);
  return (
    <TreeView
      label="Scopes"
      nodes={nodes}
      selected={selected}
      onSelect={(id) => {
        chosen.push(id);
        setSelected(id);
      }}
      expanded={expanded}
      onExpandedChange={setExpanded}
    />
  );
}

test('keys open, lead, close and choose', async () => {
  const user = userEvent.setup();
  const chosen: string[] = [];
  render(<Scopes chosen={chosen} />);
  const focused = () => document.activeElement?.textContent;
  await user.tab();
  expect(focused()).toBe('global');
  expect(document.activeElement?.getAttribute('aria-expanded')).toBe('false');
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(focused()).toBe('Acme');
  expect(document.activeElement?.getAttribute('aria-level')).toBe('2');
  await user.keyboard('{ArrowRight}{ArrowDown}{Enter}');
  expect(chosen).toEqual(['p_web']);
  expect(document.activeElement?.getAttribute('aria-selected')).toBe('true');
  await user.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(focused()).toBe('Acme');
  expect(screen.queryByRole('treeitem', { name: 'web' })).toBeNull();
  await user.keyboard('l');
  expect(focused()).toBe('Labs');
  await user.keyboard('{Home}');
  expect(focused()).toBe('global');
});

test('the mark opens without choosing; the rest of the row chooses', async () => {
  const user = userEvent.setup();
  const chosen: string[] = [];
  render(<Scopes chosen={chosen} />);
  const mark = screen.getByRole('treeitem', { name: 'global' }).querySelector('[aria-hidden]');
  if (mark === null) throw new Error('A node with children shows a mark.');
  await user.click(mark);
  expect(chosen).toEqual([]);
  await user.click(screen.getByRole('treeitem', { name: 'Labs' }));
  expect(chosen).toEqual(['o_labs']);
});
