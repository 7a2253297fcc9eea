import { clsx } from 'clsx';

export interface SpinnerProps {
  /** Edge in px. */
  size?: 12 | 16 | 24;
  /** What is loading. Without it the spinner is decorative, and something else must say so. */
  label?: string;
  className?: string;
}

/** A wait of unknown length. Prefer a Skeleton if the shape of the content is known. */
export function Spinner({ size = 16, label, className }: SpinnerProps) {
  return (
    <span
      className={clsx('inline-flex shrink-0', className)}
      role={label === undefined ? undefined : 'status'}
    >
      <svg aria-hidden viewBox="0 0 16 16" width={size} height={size} className="spinner" fill="none">
        <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeOpacity="0.25" strokeWidth="1.5" />
        <path
          d="M14.25 8A6.25 6.25 0 0 0 8 1.75"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinecap="round"
        />
      </svg>
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  );
}
