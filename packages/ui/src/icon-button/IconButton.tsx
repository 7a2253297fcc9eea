import { clsx } from 'clsx';
import { type Ref, useId } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { type ButtonSize, type ButtonVariant, buttonClass } from '../button/buttonClass.ts';
import { Icon, type IconType } from '../icon/Icon.tsx';
import { Spinner } from '../spinner/Spinner.tsx';
import { Tooltip, type TooltipProps } from '../tooltip/Tooltip.tsx';

export interface IconButtonProps extends Pick<
  AriaButtonProps,
  | 'onPress'
  | 'autoFocus'
  | 'id'
  | 'slot'
  | 'aria-haspopup'
  | 'aria-expanded'
  | 'aria-controls'
  | 'aria-pressed'
  | 'excludeFromTabOrder'
> {
  icon: IconType;
  /** The action, as accessible name and tooltip. */
  label: string;
  variant?: ButtonVariant;
  /** Edge in px. */
  size?: ButtonSize;
  isPending?: boolean;
  /** Why it can't be used now; it stays focusable and shows the reason. */
  disabledReason?: string | undefined;
  shortcut?: string;
  tooltipPlacement?: TooltipProps['placement'];
  ref?: Ref<HTMLButtonElement>;
}

/** A button with only an icon; its label is always present, as tooltip and accessible name. */
export function IconButton({
  icon,
  label,
  variant = 'ghost',
  size = 28,
  isPending = false,
  disabledReason,
  shortcut,
  tooltipPlacement = 'bottom',
  onPress,
  ref,
  ...rest
}: IconButtonProps) {
  const reasonId = useId();
  const isBlocked = disabledReason !== undefined;
  return (
    <>
      <Tooltip
        text={isBlocked ? `${label}. ${disabledReason}` : label}
        placement={tooltipPlacement}
        isDescription={false}
        shortcut={isBlocked ? undefined : shortcut}
      >
        <AriaButton
          {...rest}
          ref={ref}
          onPress={isBlocked ? undefined : onPress}
          isPending={isPending}
          aria-label={label}
          aria-disabled={isBlocked || undefined}
          aria-describedby={isBlocked ? reasonId : undefined}
          className={clsx(
            buttonClass({ variant, size, isIconOnly: true }),
            variant === 'ghost' && 'text-ink-2',
          )}
        >
          {isPending ? <Spinner label="Working" /> : <Icon icon={icon} />}
        </AriaButton>
      </Tooltip>
      {isBlocked && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </>
  );
}
