import { clsx } from 'clsx';
import { ArrowRight, CircleMinus, CirclePlus, PencilLine, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../icon-button/IconButton.tsx';
import { Icon } from '../icon/Icon.tsx';
import { VisibleEnds } from '../visible-ends/VisibleEnds.tsx';

export interface FieldChange {
  id: string;
  /** The field's label in its form. */
  label: string;
  kind: 'added' | 'removed' | 'changed';
  /** The old value; not shown for an addition. The caller masks secrets. */
  before?: ReactNode;
  /** The new value; not shown for a removal. */
  after?: ReactNode;
}

export interface DiffListProps {
  /** What is compared, as the accessible name. */
  label: string;
  changes: readonly FieldChange[];
  /** Headings of the two sides. */
  beforeLabel?: string;
  afterLabel?: string;
  /** Makes each change revertible. */
  onUndo?: (id: string) => void;
  /** Another button for each change instead, 28 px wide: reveal, copy. */
  actionOf?: (change: FieldChange) => ReactNode;
}

const kinds = {
  added: { icon: CirclePlus, word: 'Added', tone: 'text-ok' },
  removed: { icon: CircleMinus, word: 'Removed', tone: 'text-danger' },
  changed: { icon: PencilLine, word: 'Changed', tone: 'text-info' },
};

function Side({ value: given, kind }: { value: ReactNode; kind: 'before' | 'after' }) {
  const isEmpty = given === undefined || given === null || given === '';
  if (isEmpty) return <span className="text-ink-3">not set</span>;
  const value = typeof given === 'string' ? <VisibleEnds text={given} /> : given;
  return kind === 'before' ? (
    <del className="decoration-ink-3 decoration-1">{value}</del>
  ) : (
    <ins className="font-medium no-underline">{value}</ins>
  );
}

/** Changes by field: the old value left, the new one right, each with a word and an icon. */
export function DiffList({
  label,
  changes,
  beforeLabel = 'Before',
  afterLabel = 'After',
  onUndo,
  actionOf,
}: DiffListProps) {
  const hasActions = onUndo !== undefined || actionOf !== undefined;
  return (
    <div className="@container min-w-0">
      <table aria-label={label} className="w-full table-fixed border-collapse text-start text-body">
        <colgroup>
          <col className="w-[28%]" />
          <col />
          <col className="w-8" />
          <col />
          {hasActions && <col className="w-9" />}
        </colgroup>
        <thead>
          <tr className="h-7 border-b border-line text-start font-mono text-caps text-ink-2 uppercase">
            <th scope="col" className="text-start font-normal">
              Field
            </th>
            <th scope="col" className="text-start font-normal">
              {beforeLabel}
            </th>
            <td />
            <th scope="col" className="text-start font-normal">
              {afterLabel}
            </th>
            {hasActions && <td />}
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => {
            const { icon, word, tone } = kinds[change.kind];
            return (
              <tr key={change.id} className="border-b border-line align-top last:border-b-0">
                <th scope="row" className="py-1.5 pe-3 text-start font-normal">
                  <span className="flex flex-col">
                    <span className="text-ink-1 wrap-anywhere">
                      <VisibleEnds text={change.label} />
                    </span>
                    <span className={clsx('flex items-center gap-1 text-meta', tone)}>
                      <Icon icon={icon} size={12} />
                      {word}
                    </span>
                  </span>
                </th>
                <td className="py-1.5 text-ink-2 wrap-anywhere">
                  {change.kind !== 'added' && <Side value={change.before} kind="before" />}
                </td>
                <td aria-hidden className="py-2 text-ink-3">
                  <Icon icon={ArrowRight} className="mx-auto" />
                </td>
                <td className="py-1.5 pe-2 text-ink-1 wrap-anywhere">
                  {change.kind === 'removed' ? (
                    <span className="text-ink-3">removed</span>
                  ) : (
                    <Side value={change.after} kind="after" />
                  )}
                </td>
                {actionOf !== undefined && <td className="py-0.5">{actionOf(change)}</td>}
                {actionOf === undefined && onUndo !== undefined && (
                  <td className="py-0.5">
                    <IconButton
                      icon={Undo2}
                      label={`Undo ${change.label}`}
                      onPress={() => {
                        onUndo(change.id);
                      }}
                    />
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
