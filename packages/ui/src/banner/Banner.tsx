import { clsx } from 'clsx';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { PlainIconButton } from '../icon-button/PlainIconButton.tsx';
import { Icon } from '../icon/Icon.tsx';
import { type Tone, toneIcons, toneTextClass, toneTintClass } from '../tone/tone.ts';

export interface BannerProps {
  tone: Tone;
  title: ReactNode;
  /** Why, and what to do about it. */
  children?: ReactNode;
  /** Buttons of 28 px. */
  actions?: ReactNode;
  /** It can be dismissed. */
  onClose?: () => void;
  /**
   * Announced when it appears: `alert` interrupts, `status` waits its turn, `none` for what was there from the
   * start. By default `alert` for danger, else `status`.
   */
  announce?: 'alert' | 'status' | 'none';
}

/** News about the whole page or form, where it is read before the rest. */
export function Banner({ tone, title, children, actions, onClose, announce }: BannerProps) {
  const how = announce ?? (tone === 'danger' ? 'alert' : 'status');
  return (
    <div
      role={how === 'none' ? undefined : how}
      className={clsx('flex items-start gap-2 rounded-control border px-3 py-2', toneTintClass[tone])}
    >
      <Icon icon={toneIcons[tone]} className={clsx('mt-0.5', toneTextClass[tone])} />
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60 text-body">
          <div className="font-medium text-ink-1">{title}</div>
          {children !== undefined && <div className="text-ink-2 wrap-anywhere">{children}</div>}
        </div>
        {actions !== undefined && <div className="flex shrink-0 flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {onClose !== undefined && (
        <span className="-my-1 -me-1.5 flex">
          <PlainIconButton icon={X} label="Close" onPress={onClose} />
        </span>
      )}
    </div>
  );
}
