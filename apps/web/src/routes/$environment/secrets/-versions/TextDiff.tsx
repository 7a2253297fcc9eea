import { lineDiff, type DiffLine } from '@gatehouse/record-merge/line-diff';
import { Icon } from '@gatehouse/ui/icon';
import { Minus, Plus } from 'lucide-react';
import { useMemo } from 'react';

export interface TextDiffProps {
  /** What is compared, as the accessible name. */
  label: string;
  before: string;
  after: string;
}

/** Unchanged lines shown around each difference. */
const contextLines = 3;

/** Two texts line by line: removed and added lines, each with a sign and a word. */
export function TextDiff({ label, before, after }: TextDiffProps) {
  const lines = useMemo(() => lineDiff(before, after), [before, after]);
  if (lines === undefined) {
    return (
      <p className="text-body text-ink-2">
        The texts are too long or too repetitive to compare line by line. Compare the fields instead.
      </p>
    );
  }
  return (
    <div
      role="region"
      aria-label={label}
      tabIndex={0}
      className="max-h-[60vh] overflow-auto rounded-control border border-line bg-surface"
    >
      <table className="w-full border-collapse font-mono text-meta/5 text-ink-1">
        <tbody>
          {folded(lines).map((part, index) =>
            part.kind === 'folded' ? (
              <tr key={`folded-${String(index)}`} className="bg-sunken text-ink-3">
                <td colSpan={4} className="px-3 py-0.5">
                  {part.count.toLocaleString('en')} equal {part.count === 1 ? 'line' : 'lines'}
                </td>
              </tr>
            ) : (
              <Line key={`${part.kind}-${String(index)}`} line={part} />
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

const looks = {
  same: { ground: '', sign: null, word: '' },
  removed: { ground: 'bg-danger-tint', sign: Minus, word: 'Removed: ' },
  added: { ground: 'bg-ok-tint', sign: Plus, word: 'Added: ' },
} as const;

function Line({ line }: { line: DiffLine }) {
  const { ground, sign, word } = looks[line.kind];
  return (
    <tr className={`align-top ${ground}`}>
      <td className="w-0 ps-2 pe-1 text-end text-ink-3 select-none">
        {line.kind !== 'added' && line.before}
      </td>
      <td className="w-0 px-1 text-end text-ink-3 select-none">{line.kind !== 'removed' && line.after}</td>
      <td className="w-0 px-1 pt-1">
        {sign !== null && (
          <Icon icon={sign} size={12} className={line.kind === 'added' ? 'text-ok' : 'text-danger'} />
        )}
      </td>
      <td className="pe-3 whitespace-pre-wrap wrap-anywhere">
        {word !== '' && <span className="sr-only">{word}</span>}
        {line.text === '' ? ' ' : line.text}
      </td>
    </tr>
  );
}

interface Folded {
  readonly kind: 'folded';
  readonly count: number;
}

/** Replaces long runs of equal lines with one line that counts them. */
function folded(lines: readonly DiffLine[]): readonly (DiffLine | Folded)[] {
  const isNear = (index: number): boolean =>
    lines
      .slice(Math.max(0, index - contextLines), index + contextLines + 1)
      .some(({ kind }) => kind !== 'same');
  const parts: (DiffLine | Folded)[] = [];
  for (const [index, line] of lines.entries()) {
    const last = parts.at(-1);
    if (line.kind !== 'same' || isNear(index)) parts.push(line);
    else if (last?.kind === 'folded') parts[parts.length - 1] = { kind: 'folded', count: last.count + 1 };
    else parts.push({ kind: 'folded', count: 1 });
  }
  return parts;
}
