import { clsx } from 'clsx';

/**
 * The box of a control that takes text. The caller's element is a react-aria Input or Group, whose
 * data attributes carry its state.
 */
export function controlClass({
  size = 32,
  isMono = false,
}: { size?: 28 | 32; isMono?: boolean } = {}): string {
  return clsx(
    'w-full min-w-0 rounded-control border border-control-line bg-raised text-ink-1 transition-colors',
    'data-hovered:border-ink-2 data-invalid:border-danger data-invalid:bg-danger-tint',
    'data-disabled:border-line data-disabled:bg-sunken data-disabled:text-ink-3',
    'read-only:border-line read-only:bg-sunken read-only:text-ink-2',
    size === 28 ? 'h-7 px-2' : 'h-8 px-2.5',
    size === 28 ? 'text-body' : 'text-input',
    isMono && 'font-mono',
  );
}

/** A control made of several parts (an input and its buttons) in one box, which carries the ring for its input. */
export function controlGroupClass({
  size = 32,
  isMono = false,
}: { size?: 28 | 32; isMono?: boolean } = {}): string {
  return clsx(
    'flex w-full min-w-0 items-center rounded-control border border-control-line bg-raised text-ink-1 transition-colors',
    'data-hovered:border-ink-2 data-invalid:border-danger data-invalid:bg-danger-tint',
    'data-disabled:border-line data-disabled:bg-sunken data-disabled:text-ink-3',
    'has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-accent',
    'has-[input:read-only]:border-line has-[input:read-only]:bg-sunken',
    size === 28 ? 'h-7' : 'h-8',
    size === 28 ? 'text-body' : 'text-input',
    isMono && 'font-mono',
  );
}

/** The bare input inside a control group. */
export const groupInputClass = 'h-full min-w-0 flex-1 bg-transparent px-2.5 outline-none';
