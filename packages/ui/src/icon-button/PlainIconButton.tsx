import { clsx } from 'clsx';
import { buttonClass } from '../button/buttonClass.ts';
import { Icon, type IconType } from '../icon/Icon.tsx';
import { Tooltip } from '../tooltip/Tooltip.tsx';

export interface PlainIconButtonProps {
  icon: IconType;
  /** What pressing it does, in words: its accessible name and its tooltip. */
  label: string;
  onPress: () => void;
  'aria-pressed'?: boolean;
}

/**
 * An IconButton of the browser's own making, for the parts that the sign-in page is made of: it does without
 * react-aria, which weighs as much as the rest of that page's interface.
 */
export function PlainIconButton({ icon, label, onPress, 'aria-pressed': isPressed }: PlainIconButtonProps) {
  return (
    <Tooltip text={label} isDescription={false}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={isPressed}
        onClick={onPress}
        className={clsx(
          buttonClass({ variant: 'ghost', size: 28, isIconOnly: true }),
          'text-ink-2 hover:bg-hover active:bg-pressed',
        )}
      >
        <Icon icon={icon} />
      </button>
    </Tooltip>
  );
}
