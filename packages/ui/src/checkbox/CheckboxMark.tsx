import { clsx } from 'clsx';
import { Check, Minus } from 'lucide-react';
import { Icon } from '../icon/Icon.tsx';

/** A checkbox without a label, for callers that have it elsewhere (a grid's row). */
export function CheckboxMark({ state }: { state: 'off' | 'on' | 'mixed' }) {
  return (
    <span
      className={clsx(
        'flex size-4 shrink-0 items-center justify-center rounded-tag border transition-colors',
        state === 'off'
          ? 'border-control-line bg-raised group-hover:border-ink-2 group-data-hovered:border-ink-2'
          : 'border-accent bg-accent text-on-accent forced-colors:bg-[Highlight] forced-colors:text-[HighlightText] forced-colors:forced-color-adjust-none',
      )}
    >
      {state !== 'off' && <Icon icon={state === 'on' ? Check : Minus} size={12} />}
    </span>
  );
}
