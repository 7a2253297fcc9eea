import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { Icon, type IconType } from '../icon/Icon.tsx';
import { type Tone, toneIcons, toneTextClass, toneTintClass } from '../tone/tone.ts';

export interface BadgeProps {
  children: ReactNode;
  /** `neutral` names a kind; the other tones rate a state. */
  tone?: Tone | 'neutral' | 'accent';
  /** The tone's icon unless given; none for neutral. */
  icon?: IconType;
}

/** A state or a kind in a word, with an icon so that it doesn't depend on color. */
export function Badge({ children, tone = 'neutral', icon }: BadgeProps) {
  const drawing = icon ?? (tone === 'neutral' || tone === 'accent' ? undefined : toneIcons[tone]);
  return (
    <span
      className={clsx(
        'inline-flex h-5 w-fit max-w-full items-center gap-1 rounded-tag border px-1.5 text-meta whitespace-nowrap',
        tone === 'neutral'
          ? 'border-line bg-sunken text-ink-2'
          : tone === 'accent'
            ? 'border-accent/35 bg-accent-tint text-accent'
            : clsx(toneTintClass[tone], toneTextClass[tone]),
      )}
    >
      {drawing !== undefined && <Icon icon={drawing} size={12} />}
      <span className="truncate">{children}</span>
    </span>
  );
}
