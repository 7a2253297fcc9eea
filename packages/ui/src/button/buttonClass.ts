import { clsx } from 'clsx';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 28 | 32;

const variants: Record<ButtonVariant, string> = {
  primary:
    'border-transparent bg-accent text-on-accent data-hovered:bg-accent-strong data-pressed:bg-accent-strong aria-disabled:bg-sunken aria-disabled:text-ink-3 aria-disabled:border-line',
  secondary:
    'border-control-line bg-raised text-ink-1 data-hovered:bg-hover data-pressed:bg-pressed aria-expanded:bg-hover aria-disabled:bg-sunken aria-disabled:text-ink-3 aria-disabled:border-line',
  ghost:
    'border-transparent bg-transparent text-ink-1 data-hovered:bg-hover data-pressed:bg-pressed aria-expanded:bg-hover aria-disabled:bg-transparent aria-disabled:text-ink-3',
  danger:
    'border-transparent bg-danger text-on-danger data-hovered:bg-danger-strong data-pressed:bg-danger-strong aria-disabled:bg-sunken aria-disabled:text-ink-3 aria-disabled:border-line',
};

export interface ButtonLook {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** A square for a single icon. */
  isIconOnly?: boolean;
  isFullWidth?: boolean;
}

/**
 * The classes of a button for other elements, such as a router's link: `<Link className={buttonClass({ variant:
 * 'primary' })}>`. A react-aria link also gets the hover and press states.
 */
export function buttonClass({
  variant = 'secondary',
  size = 32,
  isIconOnly = false,
  isFullWidth = false,
}: ButtonLook = {}): string {
  return clsx(
    'inline-flex shrink-0 cursor-default items-center justify-center gap-1.5 rounded-control border text-body font-medium whitespace-nowrap select-none transition-colors data-pending:cursor-progress aria-disabled:cursor-not-allowed data-pending:aria-disabled:cursor-progress',
    size === 28 ? 'h-7' : 'h-8',
    isIconOnly ? (size === 28 ? 'w-7' : 'w-8') : size === 28 ? 'px-2.5' : 'px-3',
    isFullWidth && 'w-full',
    variants[variant],
  );
}
