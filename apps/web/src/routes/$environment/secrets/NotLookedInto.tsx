import { VisibleEnds } from '@gatehouse/ui/visible-ends';
import { counted } from '#lib/counted.ts';

/** The maximum number of names listed: thousands don't help. */
const shownNames = 500;

/** The folders or paths that couldn't be searched. */
export function NotLookedInto({ paths, noun }: { paths: readonly string[]; noun: 'folder' | 'path' }) {
  if (paths.length === 0) return null;
  return (
    <details>
      <summary className="w-fit cursor-default rounded-tag">
        {counted(paths.length, noun)} couldn't be searched.
      </summary>
      <ul aria-label="Not searched" className="max-h-40 overflow-y-auto font-mono">
        {paths.slice(0, shownNames).map((path) => (
          <li key={path}>
            <VisibleEnds text={path} isPath />
          </li>
        ))}
      </ul>
      {paths.length > shownNames && `And ${(paths.length - shownNames).toLocaleString('en')} more.`}
    </details>
  );
}
