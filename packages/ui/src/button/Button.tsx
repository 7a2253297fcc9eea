import { clsx } from 'clsx';
import { type ReactNode, type Ref, useId } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { Icon, type IconType } from '../icon/Icon.tsx';
import { Spinner } from '../spinner/Spinner.tsx';
import { Tooltip } from '../tooltip/Tooltip.tsx';
import { type ButtonSize, type ButtonVariant, buttonClass } from './buttonClass.ts';

export interface ButtonProps extends Pick<
  AriaButtonProps,
  | 'onPress'
  | 'autoFocus'
  | 'name'
  | 'value'
  | 'form'
  | 'id'
  | 'slot'
  | 'aria-label'
  | 'aria-haspopup'
  | 'aria-expanded'
  | 'aria-controls'
  | 'aria-describedby'
> {
  children: ReactNode;
  variant?: ButtonVariant;
  /** Height in px: 28 in toolbars, 32 in forms and dialogs. */
  size?: ButtonSize;
  type?: 'button' | 'submit' | 'reset';
  /** Before the label. */
  icon?: IconType;
  /** After the label, for what the button opens or where it points. */
  trailingIcon?: IconType;
  /** The action is in progress: the button keeps focus and width, and can't be pressed again. */
  isPending?: boolean;
  /**
   * Disables the button and says why, in a sentence. The button stays focusable and shows the reason in a tooltip and
   * to screen readers. A button can't be disabled without a reason.
   */
  disabledReason?: string | undefined;
  /** Shown in a tooltip, in `Kbd` form. The shortcut registry has the handler. */
  shortcut?: string;
  /** Text of the tooltip; `disabledReason` takes precedence. */
  tooltip?: string;
  isFullWidth?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** The standard button. Use danger only for the act itself (Delete, Demote), not for steps that precede it. */
export function Button({
  children,
  variant = 'secondary',
  size = 32,
  type = 'button',
  icon,
  trailingIcon,
  isPending = false,
  disabledReason,
  shortcut,
  tooltip,
  isFullWidth = false,
  onPress,
  ref,
  'aria-describedby': describedBy,
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const isBlocked = disabledReason !== undefined;

  const button = (
    <AriaButton
      {...rest}
      ref={ref}
      onPress={isBlocked ? undefined : onPress}
      type={isBlocked ? 'button' : type}
      isPending={isPending}
      aria-disabled={isBlocked || undefined}
      aria-describedby={clsx(describedBy, isBlocked && reasonId) || undefined}
      className={buttonClass({ variant, size, isFullWidth })}
    >
      {isPending ? <Spinner label="Working" /> : icon !== undefined && <Icon icon={icon} />}
      <span className="truncate">{children}</span>
      {trailingIcon !== undefined && <Icon icon={trailingIcon} className="-me-0.5" />}
    </AriaButton>
  );

  const words = disabledReason ?? tooltip;
  return (
    <>
      {words === undefined && shortcut === undefined ? (
        button
      ) : (
        <Tooltip
          text={words ?? children}
          shortcut={isBlocked ? undefined : shortcut}
          isDescription={!isBlocked && tooltip !== undefined}
        >
          {button}
        </Tooltip>
      )}
      {isBlocked && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </>
  );
}
