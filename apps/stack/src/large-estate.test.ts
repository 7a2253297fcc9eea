import { expect, it } from 'vitest';
import { largeEstate } from './large-estate.ts';

it('has as many targets as asked for, each with a name of its own, beside the well-known one', () => {
  const targets = largeEstate(1234).flatMap(({ projects }) =>
    projects.flatMap((project) => [...project.targets]),
  );
  expect(targets).toHaveLength(1235);
  expect(new Set(targets.map(({ name }) => name)).size).toBe(1235);
});
