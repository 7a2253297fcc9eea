import { expect, it } from 'vitest';
import { largeEstate } from './large-estate.ts';

it('has the requested number of targets with unique names, in addition to the well-known one', () => {
  const targets = largeEstate(1234).flatMap(({ projects }) =>
    projects.flatMap((project) => [...project.targets]),
  );
  expect(targets).toHaveLength(1235);
  expect(new Set(targets.map(({ name }) => name)).size).toBe(1235);
});
