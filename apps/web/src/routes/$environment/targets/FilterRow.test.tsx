import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { FilterRow } from './FilterRow.tsx';
import { longestFilter, targetsSearch } from './targets-search.ts';

afterEach(cleanup);

test("a filter that is too long isn't applied, and an error says so", () => {
  const onApply = vi.fn();
  const onWhy = vi.fn();
  render(
    <FilterRow
      filter={undefined}
      error={undefined}
      isPending={false}
      onApply={onApply}
      onWhy={onWhy}
      onClose={vi.fn()}
    />,
  );
  const write = (length: number): string => {
    const filter = `"/item/name" == "${'x'.repeat(length - 18)}"`.slice(0, length);
    fireEvent.change(screen.getByLabelText('Filter expression', { selector: 'input' }), {
      target: { value: filter },
    });
    return filter;
  };

  write(longestFilter + 1);
  screen.getByText('A filter must be 4,096 characters or fewer. This one has 4,097.');
  fireEvent.submit(screen.getByRole('search'));
  fireEvent.click(screen.getByRole('button', { name: /^Why is a target missing/ }));
  expect(onApply).not.toHaveBeenCalled();
  expect(onWhy).not.toHaveBeenCalled();

  const longest = write(longestFilter);
  fireEvent.submit(screen.getByRole('search'));
  expect(onApply).toHaveBeenCalledWith(longest);
  expect(targetsSearch.parse({ filter: longest }).filter).toBe(longest);
});
