import { clsx } from 'clsx';
import { buttonClass } from '../button/buttonClass.ts';
import { Icon, type IconType } from '../icon/Icon.tsx';
import { Tooltip } from '../tooltip/Tooltip.tsx';

export interface PlainIconButtonProps {
  icon: IconType;
  /** The action, as accessible name and tooltip. */
  label: string;
  onPress: () => void;
  'aria-pressed'?: boolean;
}

/**
 * An IconButton based on the native button, for the components of the sign-in page: without react-aria that page's
 * interface is half the size.
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
