import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { TreeView } from './TreeView.tsx';

beforeAll(() => {
  // jsdom has no layout: without these sizes the scroller would be 0 px high and show no node.
  const sizes = { clientHeight: 640, clientWidth: 240, scrollHeight: 100_000_000, scrollWidth: 240 };
  for (const [name, size] of Object.entries(sizes))
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });
  Element.prototype.scrollTo = function scrollTo(this: Element, options?: ScrollToOptions | number) {
    if (typeof options === 'object') this.scrollTop = options.top ?? this.scrollTop;
    this.dispatchEvent(new Event('scroll'));
  };
});
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

test('expands, moves, collapses and selects with the keyboard', async () => {
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

test('expands with the mark without selecting, and selects with the rest of the row', async () => {
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

test('renders only the visible ones of a hundred thousand nodes, and reaches the last with the keyboard', async () => {
  const user = userEvent.setup();
  const many = Array.from({ length: 100_000 }, (_, index) => ({
    id: `n${String(index)}`,
    label: `node ${String(index)}`,
  }));
  let shown = 0;
  const withNote = [
    ...many,
    {
      id: 'note',
      label: 'Loading more…',
      isNote: true,
      onShown: () => {
        shown += 1;
      },
    },
  ];
  function Long() {
    const scroller = useRef<HTMLDivElement>(null);
    return (
      <div ref={scroller}>
        <TreeView
          label="Long"
          nodes={withNote}
          selected="n0"
          onSelect={() => undefined}
          expanded={[]}
          onExpandedChange={() => undefined}
          scroller={scroller}
        />
      </div>
    );
  }
  render(<Long />);
  const drawn = screen.getAllByRole('treeitem');
  expect(drawn.length).toBeGreaterThan(10);
  expect(drawn.length).toBeLessThan(100);
  expect(drawn[0]?.getAttribute('aria-setsize')).toBe('100001');
  expect(shown).toBe(0);
  await user.tab();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toBe('node 1');
  await user.keyboard('{End}');
  expect(document.activeElement?.textContent).toBe('Loading more…');
  expect(shown).toBe(1);
});
