import type { Change } from '@gatehouse/record-merge';
import { Icon } from '@gatehouse/ui/icon';
import { GitMerge, UserPen, UsersRound } from 'lucide-react';

export interface FieldMarkProps {
  change: Pick<Change, 'side'>;
  /** The previous value in words; '' for none. */
  before: string;
  /** Who made the other side's changes: `by Ada`, `elsewhere`. */
  by: string;
}

const looks = {
  mine: { icon: UserPen, tone: 'text-accent' },
  theirs: { icon: UsersRound, tone: 'text-info' },
  both: { icon: GitMerge, tone: 'text-ok' },
} as const;

/** Shown below a merged field: which side its value is from, and the previous value. */
export function FieldMark({ change, before, by }: FieldMarkProps) {
  const { icon, tone } = looks[change.side];
  const words = {
    mine: 'Changed by you',
    theirs: `Changed ${by}`,
    both: `Changed here and ${by}`,
  }[change.side];
  return (
    <p className={`flex items-start gap-1.5 border-s-2 border-current ps-2 text-meta ${tone}`}>
      <Icon icon={icon} size={14} className="mt-px" />
      <span className="min-w-0">
        {words}
        <span className="text-ink-2 wrap-anywhere">
          {before === '' ? ', was not set' : ', was '}
          {before !== '' && <span className="font-mono">{before}</span>}
        </span>
      </span>
    </p>
  );
}
