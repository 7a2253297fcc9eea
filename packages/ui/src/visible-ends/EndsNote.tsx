import { VisibleEnds, type VisibleEndsProps } from './VisibleEnds.tsx';

/** Below a field: says so, and shows where, while what is typed has white space at its ends. */
export function EndsNote({ text, isPath = false }: VisibleEndsProps) {
  return (
    <span role="status" className="text-meta text-warn wrap-anywhere empty:absolute">
      {(isPath ? text.split('/') : [text]).some((name) => name !== name.trim()) && (
        <>
          Includes white space at the ends:{' '}
          <span className="font-mono text-ink-1">
            {/* Of a text that may be long the ends are shown alone. */}
            <VisibleEnds text={isPath ? text : text.replace(text.trim(), '…')} isPath={isPath} />
          </span>
        </>
      )}
    </span>
  );
}
