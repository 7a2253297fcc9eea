import type { ContentComparison } from './compare-content.ts';

const most = 3;

/** The breaking changes in a line: `output removed (vpc_id)`; empty if none exist. */
export function breakingWords({ folders }: Pick<ContentComparison, 'folders'>): string {
  const found = folders.flatMap(({ path, changes }) =>
    changes
      .filter(({ weight }) => weight === 'breaking')
      .map(
        ({ name, what, area }) =>
          `${what} (${path === '' || area === 'submodule' ? name : `${path}: ${name}`})`,
      ),
  );
  const more = found.length - most;
  return [...found.slice(0, most), ...(more > 0 ? [`${more.toLocaleString('en')} more`] : [])].join(', ');
}
