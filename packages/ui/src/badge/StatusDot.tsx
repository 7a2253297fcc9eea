import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { Tone } from '../tone/tone.ts';

export interface StatusDotProps {
  tone: Tone | 'neutral';
  children: ReactNode;
  /** Animates the dot while something is in progress. */
  isBusy?: boolean;
}

/** A shape for each tone: filled, ring, triangle, square, hollow. */
function Shape({ tone }: { tone: StatusDotProps['tone'] }) {
  if (tone === 'ok') return <circle cx="4" cy="4" r="4" />;
  if (tone === 'info')
    return <path d="M4 0a4 4 0 1 1 0 8 4 4 0 0 1 0-8Zm0 2.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3Z" />;
  if (tone === 'warn') return <path d="M4 0 8 7.5H0Z" />;
  if (tone === 'danger') return <path d="M0 0h8v8H0Z" transform="rotate(45 4 4) scale(.8) translate(1 1)" />;
  return <circle cx="4" cy="4" r="3.25" fill="none" stroke="currentColor" strokeWidth="1.5" />;
}

const colors = {
  ok: 'text-ok',
  info: 'text-info',
  warn: 'text-warn',
  danger: 'text-danger',
  neutral: 'text-ink-3',
};

/** A live state in a table or list: a colored shape and a word. */
export function StatusDot({ tone, children, isBusy = false }: StatusDotProps) {
  return (
    <span className="inline-flex items-center gap-1.5 text-body text-ink-1">
      <svg
        aria-hidden
        width="8"
        height="8"
        viewBox="0 0 8 8"
        fill="currentColor"
        className={clsx('shrink-0', colors[tone], isBusy && 'breathing')}
      >
        <Shape tone={tone} />
      </svg>
      {children}
    </span>
  );
}
