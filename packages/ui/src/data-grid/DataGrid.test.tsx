import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { afterPaint } from '../after-paint/afterPaint.ts';
import { DataGrid } from './DataGrid.tsx';
import {
  type DataGridProps,
  defaultGridView,
  emptyGridSelection,
  type GridColumn,
  type GridSelection,
  type GridSorting,
} from './gridTypes.ts';

interface Host {
  id: string;
  name: string;
  port: number;
}

const columns: readonly GridColumn<Host>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name, width: 160, sortable: true, isRowHeader: true },
  { id: 'port', header: 'Port', value: ({ port }) => port, width: 80, align: 'end', sortable: true },
];
const hosts = Array.from({ length: 100_000 }, (_, index) => ({
  id: `h${String(index)}`,
  name: `host-${String(index)}`,
  port: 1_000 + ((index * 7) % 13),
}));
const hostId = ({ id }: Host) => id;
const hostName = ({ name }: Host) => name;

beforeAll(() => {
  // jsdom has no layout: without these sizes the grid would be 0 px high and show no row.
  const sizes = { clientHeight: 640, clientWidth: 900, scrollHeight: 100_000_000, scrollWidth: 900 };
  for (const [name, size] of Object.entries(sizes))
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => size });
  Element.prototype.scrollTo = function scrollTo(this: Element, options?: ScrollToOptions | number) {
    if (typeof options === 'object') this.scrollTop = options.top ?? this.scrollTop;
    this.dispatchEvent(new Event('scroll'));
  };
});
afterEach(cleanup);

interface Seen {
  selection: GridSelection;
  sorting: GridSorting | null;
}

function Page({ seen, ...more }: Partial<DataGridProps<Host>> & { seen?: Seen }) {
  const [selection, setSelection] = useState<GridSelection>(emptyGridSelection);
  const [sorting, setSorting] = useState<GridSorting | null>(null);
  const [view, setView] = useState(defaultGridView);
  if (seen !== undefined) Object.assign(seen, { selection, sorting });
  return (
    <DataGrid<Host>
      label="Hosts"
      noun={{ one: 'host', many: 'hosts' }}
      columns={columns}
      rows={hosts}
      rowId={hostId}
      rowLabel={hostName}
      status="ready"
      empty="No hosts."
      error="It failed."
      sorting={sorting}
      onSortingChange={setSorting}
      sortedBy="here"
      view={view}
      onViewChange={setView}
      selection={selection}
      onSelectionChange={setSelection}
      {...more}
    />
  );
}

function focused(): { row: string | undefined; column: string | undefined } {
  const { gridRow, gridColumn } = (document.activeElement as HTMLElement).dataset;
  return { row: gridRow, column: gridColumn };
}

describe('a hundred thousand rows', () => {
  test('renders only a few, each with its index', () => {
    render(<Page />);
    const grid = screen.getByRole('grid', { name: 'Hosts' });
    expect(grid.getAttribute('aria-rowcount')).toBe('100001');
    expect(grid.getAttribute('aria-colcount')).toBe('3');
    const rows = within(grid).getAllByRole('row');
    expect(rows.length).toBeLessThan(60);
    expect(rows[1]?.getAttribute('aria-rowindex')).toBe('2');
    expect(screen.getByRole('status').textContent).toBe('100,000 hosts');
  });

  test('moves through them with the keyboard, to the last and back', async () => {
    const user = userEvent.setup();
    render(<Page />);
    await user.click(screen.getByRole('checkbox', { name: 'Select host-0' }));
    await user.keyboard('{ArrowDown}{ArrowRight}');
    expect(focused()).toEqual({ row: '1', column: '1' });
    await user.keyboard('jjk');
    expect(focused()).toEqual({ row: '2', column: '1' });
    await user.keyboard('{Control>}{End}{/Control}');
    expect(focused()).toEqual({ row: '99999', column: '2' });
    expect(screen.getByRole('rowheader', { name: 'host-99999' })).toBeTruthy();
    await user.keyboard('{Control>}{Home}{/Control}{ArrowUp}');
    expect(focused()).toEqual({ row: '-1', column: '0' });
  });

  test('is a single tab stop', async () => {
    const user = userEvent.setup();
    render(
      <>
        <Page />
        <button type="button">After</button>
      </>,
    );
    screen.getByRole('checkbox', { name: 'Select host-0' }).focus();
    await user.keyboard('{ArrowDown}{ArrowRight}');
    await user.tab();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'After' }));
    await user.tab({ shift: true });
    expect(focused()).toEqual({ row: '1', column: '1' });
  });
});

describe('selection', () => {
  test('selects a row with Space and a range with Shift+Space', async () => {
    const user = userEvent.setup();
    const seen: Seen = { selection: emptyGridSelection, sorting: null };
    render(<Page seen={seen} />);
    await user.click(screen.getByRole('checkbox', { name: 'Select host-0' }));
    await user.keyboard('{ArrowRight}{ArrowDown}{ArrowDown}{Shift>} {/Shift}');
    expect(seen.selection).toEqual({ kind: 'rows', ids: new Set(['h0', 'h1', 'h2']) });
    await user.keyboard(' ');
    expect(seen.selection).toEqual({ kind: 'rows', ids: new Set(['h0', 'h1']) });
    expect(screen.getByRole('row', { name: /host-1\b/ }).getAttribute('aria-selected')).toBe('true');
  });

  test('selects all loaded rows with Ctrl+A, but only while the grid has focus', async () => {
    const user = userEvent.setup();
    const seen: Seen = { selection: emptyGridSelection, sorting: null };
    const few = hosts.slice(0, 50);
    render(<Page seen={seen} rows={few} />);
    await user.keyboard('{Control>}a{/Control}');
    expect(seen.selection).toEqual(emptyGridSelection);
    screen.getByRole('checkbox', { name: 'Select host-0' }).focus();
    await user.keyboard('{Control>}a{/Control}');
    expect(seen.selection).toEqual({ kind: 'rows', ids: new Set(few.map(hostId)) });
  });

  test('distinguishes the loaded rows from all that match', async () => {
    const user = userEvent.setup();
    const seen: Seen = { selection: emptyGridSelection, sorting: null };
    render(
      <Page
        seen={seen}
        rows={hosts.slice(0, 50)}
        matchCount={{ value: 100_000, isExact: true }}
        canSelectAllMatching
        bulkActions={<button type="button">Delete</button>}
      />,
    );
    expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Select all loaded rows' }));
    expect(screen.getAllByText('50 hosts selected').length).toBeGreaterThan(0);
    expect(screen.getByRole('button', { name: 'Delete' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Select all 100,000 that match' }));
    expect(seen.selection).toEqual({ kind: 'all-matching' });
    await user.click(screen.getByRole('button', { name: 'Only the 50 loaded' }));
    expect(seen.selection.kind).toBe('rows');
    await user.click(screen.getByRole('button', { name: 'Clear selection' }));
    expect(seen.selection).toEqual(emptyGridSelection);
  });
});

describe('the header', () => {
  test('sorts ascending, descending and not at all, and reports it', async () => {
    const user = userEvent.setup();
    render(<Page />);
    const header = screen.getByRole('columnheader', { name: 'Port' });
    const button = within(header).getByRole('button');
    expect(header.getAttribute('aria-sort')).toBe('none');
    await user.click(button);
    expect(header.getAttribute('aria-sort')).toBe('ascending');
    expect(screen.getAllByRole('rowheader')[0]?.textContent).toBe('host-0');
    await user.click(button);
    expect(header.getAttribute('aria-sort')).toBe('descending');
    expect(screen.getAllByRole('rowheader')[0]?.textContent).toBe('host-11');
    await user.click(button);
    expect(header.getAttribute('aria-sort')).toBe('none');
  });

  test('resizes a column with Shift and the arrow keys', async () => {
    const user = userEvent.setup();
    const onViewChange = vi.fn<DataGridProps<Host>['onViewChange']>();
    render(<Page onViewChange={onViewChange} view={defaultGridView} />);
    within(screen.getByRole('columnheader', { name: 'Name' }))
      .getByRole('button')
      .focus();
    await user.keyboard('{Shift>}{ArrowRight}{/Shift}');
    expect(onViewChange).toHaveBeenCalledExactlyOnceWith({ ...defaultGridView, widths: { name: 176 } });
  });

  test('keeps the button for columns while its menu arrives, so that no press is lost', async () => {
    const user = userEvent.setup();
    render(<Page />);
    const button = screen.getByRole('button', { name: 'Columns' });
    await act(async () => {
      await afterPaint();
      await import('./menus.ts');
    });
    await act(afterPaint);
    expect(button.isConnected).toBe(true);
    await user.click(button);
    expect(await screen.findByRole('dialog', { name: 'Columns' })).toBeTruthy();
  });

  test('hides columns, but not the row header', async () => {
    const user = userEvent.setup();
    render(<Page />);
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    expect((await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Name' })).disabled).toBe(true);
    await user.click(screen.getByRole('checkbox', { name: 'Port' }));
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('columnheader', { name: 'Port' })).toBeNull();
    expect(screen.getByRole('columnheader', { name: 'Name' })).toBeTruthy();
  });
});

describe('opening', () => {
  test('opens the row with Enter in any of its cells', async () => {
    const user = userEvent.setup();
    const onOpen = vi.fn<(row: Host) => void>();
    render(<Page onOpen={onOpen} rowHref={({ id }) => `/hosts/${id}`} />);
    screen.getByRole('checkbox', { name: 'Select host-0' }).focus();
    await user.keyboard('{ArrowDown}{ArrowRight}{ArrowRight}{Enter}');
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(hosts[1]);
  });

  test('opens the link in place on a plain click, and leaves a Ctrl click to the browser', async () => {
    const user = userEvent.setup();
    const onOpen = vi.fn<(row: Host) => void>();
    render(<Page onOpen={onOpen} rowHref={({ id }) => `#/hosts/${id}`} />);
    const link = screen.getByRole('link', { name: 'host-3' });
    expect(link.getAttribute('href')).toBe('#/hosts/h3');
    await user.click(link);
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(hosts[3]);
    await user.keyboard('{Control>}');
    await user.click(link);
    expect(onOpen).toHaveBeenCalledOnce();
  });

  test('opens the row with a click on any of its cells, but not on its controls or to select text', async () => {
    const user = userEvent.setup();
    const onOpen = vi.fn<(row: Host) => void>();
    render(<Page onOpen={onOpen} rowHref={({ id }) => `#/hosts/${id}`} rowActions={() => []} />);
    const row = screen.getByRole('row', { name: /host-3/ });
    const port = within(row).getByRole('gridcell', { name: '1,008' });
    await user.click(within(row).getByRole('checkbox'));
    await user.click(within(row).getByRole('button', { name: /^Actions/ }));
    // The menu is loaded when it is first opened.
    await screen.findByRole('menu');
    await user.keyboard('{Escape}');
    await waitFor(() => {
      expect(screen.queryByRole('menu')).toBeNull();
    });
    window.getSelection()?.selectAllChildren(port);
    fireEvent.click(port);
    expect(onOpen).not.toHaveBeenCalled();
    window.getSelection()?.removeAllRanges();
    await user.click(port);
    expect(onOpen).toHaveBeenCalledExactlyOnceWith(hosts[3]);
  });

  test("opens a row's menu with the keyboard", async () => {
    const user = userEvent.setup();
    const onAction = vi.fn<() => void>();
    render(<Page rowActions={() => [{ id: 'delete', label: 'Delete', onAction }]} />);
    screen.getByRole('checkbox', { name: 'Select host-0' }).focus();
    await user.keyboard('{End}{Enter}');
    const item = await screen.findByRole('menuitem', { name: 'Delete' });
    await waitFor(() => {
      expect(document.activeElement).toBe(item);
    });
    await user.keyboard('{Enter}');
    expect(onAction).toHaveBeenCalledOnce();
  });
});

describe('states', () => {
  test('shows loading, empty and failed states', () => {
    const { rerender } = render(<Page rows={[]} status="loading" />);
    expect(screen.getByRole('grid').getAttribute('aria-busy')).toBe('true');
    expect(screen.queryByText('No hosts.')).toBeNull();
    rerender(<Page rows={[]} status="ready" />);
    expect(screen.getByText('No hosts.')).toBeTruthy();
    rerender(<Page rows={[]} status="failed" />);
    expect(screen.getByText('It failed.')).toBeTruthy();
    rerender(<Page rows={hosts.slice(0, 3)} status="failed" />);
    expect(screen.getByText('It failed.')).toBeTruthy();
    expect(screen.getByText('host-2')).toBeTruthy();
  });

  test('shows how much is loaded and requests more at the end', () => {
    const onLoadMore = vi.fn<() => void>();
    render(
      <Page
        rows={hosts.slice(0, 10)}
        matchCount={{ value: 100_000, isExact: false }}
        onLoadMore={onLoadMore}
      />,
    );
    expect(screen.getAllByText('10 of about 100,000 hosts loaded').length).toBeGreaterThan(0);
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('-1');
    expect(onLoadMore).toHaveBeenCalledOnce();
  });

  test('keeps focus on its row when rows are inserted above it', async () => {
    const user = userEvent.setup();
    const later = hosts.slice(1, 20);
    const { rerender } = render(<Page rows={later} />);
    screen.getByRole('checkbox', { name: 'Select host-1' }).focus();
    await user.keyboard('{ArrowDown}');
    rerender(<Page rows={hosts.slice(0, 20)} />);
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Select host-2' }));
    await user.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(screen.getByRole('checkbox', { name: 'Select host-3' }));
  });

  test('moves focus to the row that takes the place of a removed one', async () => {
    const { rerender } = render(<Page rows={hosts.slice(0, 3)} />);
    screen.getByRole('checkbox', { name: 'Select host-2' }).focus();
    rerender(<Page rows={hosts.slice(0, 2)} />);
    const last = screen.getByRole('checkbox', { name: 'Select host-1' });
    await waitFor(() => {
      expect(document.activeElement).toBe(last);
    });
    rerender(<Page rows={[]} />);
    await waitFor(() => {
      expect(focused().row).toBe('-1');
    });
  });
});

test('in a narrow window, the column with a second line comes first, in higher rows', () => {
  const twoLined = columns.map((column) => ({
    ...column,
    ...(column.id === 'port' && { below: ({ name }: Host) => `at ${name}` }),
  }));
  const media = {
    matches: false,
    addEventListener: vi.fn<() => void>(),
    removeEventListener: vi.fn<() => void>(),
  };
  vi.stubGlobal('matchMedia', () => media);
  const headers = (): readonly (string | null)[] =>
    screen.getAllByRole('columnheader').map(({ textContent: text }) => text);
  const { unmount } = render(<Page columns={twoLined} rows={hosts.slice(0, 1)} />);
  expect(screen.queryByText('at host-0')).toBeNull();
  expect(headers()).toEqual(['', 'Name', 'Port']);
  unmount();
  media.matches = true;
  const view = { ...defaultGridView, pinned: { start: ['name'], end: [] } };
  render(<Page columns={twoLined} rows={hosts.slice(0, 1)} view={view} />);
  const row = screen.getByText('at host-0').closest<HTMLElement>('[role=row]');
  expect(row?.style.height).toBe('44px');
  expect(headers()).toEqual(['', 'Port', 'Name']);
  vi.unstubAllGlobals();
});
