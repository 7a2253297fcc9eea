import { DataGrid, defaultGridView } from '@gatehouse/ui/data-grid';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { FindField } from './ListFind.tsx';

beforeAll(() => {
  // jsdom has no layout: without these sizes the grid would show no row.
  for (const name of ['clientHeight', 'clientWidth'])
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => 640 });
});
afterEach(cleanup);

interface Named {
  name: string;
}

function List({ names }: { names: readonly string[] }) {
  return (
    <>
      <FindField
        find={{ label: 'Search names', text: '', write: () => undefined }}
        action="Search"
        group="List"
      />
      <DataGrid<Named>
        label="Names"
        noun={{ one: 'name', many: 'names' }}
        columns={[{ id: 'name', header: 'Name', value: ({ name }) => name, width: 160, isRowHeader: true }]}
        rows={names.map((name) => ({ name }))}
        rowId={({ name }) => name}
        rowLabel={({ name }) => name}
        sorting={null}
        view={defaultGridView}
        onViewChange={() => undefined}
        status="ready"
        empty="None"
        error="It failed."
      />
    </>
  );
}

const arrowDown = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'ArrowDown' });

test('ArrowDown moves from the search to the first row, if one is listed', () => {
  const { rerender } = render(<List names={[]} />);
  const search = screen.getByRole('searchbox');
  search.focus();
  arrowDown();
  expect(document.activeElement).toBe(search);
  rerender(<List names={['ada', 'olga']} />);
  arrowDown();
  expect(document.activeElement?.textContent).toBe('ada');
  arrowDown();
  expect(document.activeElement?.textContent).toBe('olga');
});
