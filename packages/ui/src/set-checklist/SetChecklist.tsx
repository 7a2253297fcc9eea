import { clsx } from 'clsx';
import { CircleMinus, CirclePlus, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox } from '../checkbox/Checkbox.tsx';
import { Icon } from '../icon/Icon.tsx';

export interface SetMember {
  id: string;
  label: ReactNode;
  /** How it changed since both sides started. */
  change: 'added' | 'removed' | 'kept';
  /** Who changed it, following `added`: `by you`, `by Ada`, `elsewhere`. */
  by?: string;
  /** Whether the result contains it. */
  isIncluded: boolean;
}

export interface SetChecklistProps {
  /** Accessible name of the set. */
  label: string;
  members: readonly SetMember[];
  onChange: (id: string, isIncluded: boolean) => void;
}

const changes = {
  added: { icon: CirclePlus, word: 'added', tone: 'text-ok' },
  removed: { icon: CircleMinus, word: 'removed', tone: 'text-danger' },
  kept: { icon: Minus, word: 'unchanged', tone: 'text-ink-3' },
};

/** The members of a set after a merge: additions, removals, and the result. */
export function SetChecklist({ label, members, onChange }: SetChecklistProps) {
  return (
    <div
      role="group"
      aria-label={label}
      className="flex flex-col rounded-control border border-line bg-surface"
    >
      {members.map((member) => {
        const { icon, word, tone } = changes[member.change];
        return (
          <div
            key={member.id}
            className="flex min-h-8 items-center justify-between gap-3 border-b border-line px-3 last:border-b-0"
          >
            <Checkbox
              isSelected={member.isIncluded}
              onChange={(isIncluded) => {
                onChange(member.id, isIncluded);
              }}
            >
              <span className={clsx('wrap-anywhere', !member.isIncluded && 'text-ink-3 line-through')}>
                {member.label}
              </span>
            </Checkbox>
            <span className={clsx('flex shrink-0 items-center gap-1 text-meta', tone)}>
              <Icon icon={icon} size={12} />
              {member.by === undefined || member.change === 'kept' ? word : `${word} ${member.by}`}
            </span>
          </div>
        );
      })}
    </div>
  );
}
