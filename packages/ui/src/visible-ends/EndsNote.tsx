import { VisibleEnds, type VisibleEndsProps } from './VisibleEnds.tsx';

/** A note below a field that shows leading and trailing white space in the input. */
export function EndsNote({ text, isPath = false }: VisibleEndsProps) {
  return (
    <span role="status" className="text-meta text-warn wrap-anywhere empty:absolute">
      {(isPath ? text.split('/') : [text]).some((name) => name !== name.trim()) && (
        <>
          Includes white space at the ends:{' '}
          <span className="font-mono text-ink-1">
            {/* A long text is shortened to its ends. */}
            <VisibleEnds text={isPath ? text : text.replace(text.trim(), '…')} isPath={isPath} />
          </span>
        </>
      )}
    </span>
  );
}
