import { expect, test } from 'vitest';
import { filterError } from './filter-error.ts';

test('the position that the controller names is marked', () => {
  const text = '"/item/name" = "db"';
  expect(filterError('This field could not be parsed: at character 14: expected "==".', text)).toEqual({
    message: 'Expected "==".',
    mark: { from: 13, to: 14 },
  });
  expect(filterError('Error parsing filter: 1:14 (13): no match found', text)).toEqual({
    message: 'No match found.',
    mark: { from: 13, to: 14 },
  });
});

test('go-bexpr counts bytes', () => {
  expect(filterError('1:6 (7): no match found', '"äö" = "db"').mark?.from).toBe(5);
});

test('marks end of input when the error is past the last token', () => {
  expect(filterError('at character 5: expected a value.', 'name').mark).toEqual({ from: 4, to: 4 });
  expect(filterError('at character 99: expected a value.', 'name').mark).toEqual({ from: 4, to: 4 });
});

test('a refusal without a position is shown unchanged', () => {
  expect(filterError('Not a list of filters.', 'x')).toEqual({
    message: 'Not a list of filters.',
    mark: undefined,
  });
});
