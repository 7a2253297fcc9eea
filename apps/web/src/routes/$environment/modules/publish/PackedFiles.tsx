import { byteSize } from '#lib/byte-size.ts';
import { counted } from '#lib/counted.ts';
import type { ChosenFiles } from './choose-files.ts';

/** Most rows to draw. */
const mostShown = 500;

/** The files that go into the archive, and those that don't, with reasons. */
export function PackedFiles({ files: { packed, leftOut } }: { files: ChosenFiles }) {
  return (
    <div className="flex flex-col gap-2 text-body">
      <details>
        <summary className="w-fit cursor-default rounded-tag text-ink-2">
          Packed: {counted(packed.length, 'file')}
        </summary>
        <ul aria-label="Packed files" className="mt-1 font-mono text-meta/5">
          {packed.slice(0, mostShown).map(({ path, contents }) => (
            <li key={path} className="flex gap-3 px-1">
              <span className="min-w-0 flex-1 wrap-anywhere text-ink-1">{path}</span>
              <span className="shrink-0 text-ink-3 tabular-nums">{byteSize(contents.size)}</span>
            </li>
          ))}
          {packed.length > mostShown && (
            <li className="px-1 text-ink-2">{counted(packed.length - mostShown, 'more file')}</li>
          )}
        </ul>
      </details>
      {leftOut.length > 0 && (
        <details>
          <summary className="w-fit cursor-default rounded-tag text-ink-2">
            Left out: {counted(leftOut.length, 'file or folder', 'files and folders')}
          </summary>
          <ul aria-label="Left out" className="mt-1 text-meta/5">
            {leftOut.slice(0, mostShown).map(({ path, count, reason }) => (
              <li key={path} className="flex flex-wrap gap-x-3 px-1">
                <span className="min-w-0 font-mono wrap-anywhere text-ink-1">{path}</span>
                <span className="text-ink-2">
                  {reason}
                  {count > 1 && ` (${counted(count, 'file')})`}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
