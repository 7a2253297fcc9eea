import { expect, test } from 'vitest';
import { bitsOf, generatedValue, recipes } from './generated-value.ts';

test.each(recipes)('a value of $label has the length asked for and uses every part', (recipe) => {
  const { parts, separator, usual } = recipe;
  const values = Array.from({ length: 50 }, () => generatedValue(recipe, usual));
  for (const value of values) expect(value.split(separator)).toHaveLength(usual);
  expect(new Set(values).size).toBe(values.length);
  const used = new Set(generatedValue(recipe, 60 * parts.length).split(separator));
  expect([...used].toSorted((a, b) => a.localeCompare(b))).toEqual(
    [...parts].toSorted((a, b) => a.localeCompare(b)),
  );
});

test('the usual values are hard to guess', () => {
  expect(recipes.map((recipe) => bitsOf(recipe, recipe.usual))).toEqual([190, 199, 256, 88]);
});
