import { clsx } from 'clsx';

interface ControlLook {
  size?: 28 | 32;
  isMono?: boolean;
}

/** The box of an input or a text area. */
export function controlClass({ size = 32, isMono = false }: ControlLook = {}): string {
  return clsx(
    'w-full min-w-0 rounded-control border border-control-line bg-raised text-ink-1 transition-colors',
    'hover:border-ink-2 aria-invalid:border-danger aria-invalid:bg-danger-tint',
    'read-only:border-line read-only:bg-sunken read-only:text-ink-2',
    'disabled:border-line disabled:bg-sunken disabled:text-ink-3',
    size === 28 ? 'h-7 px-2 text-body' : 'h-8 px-2.5 text-input',
    isMono && 'font-mono',
  );
}

/** The box of a control with several parts (an input and its buttons), which shows the input's focus ring. */
export function controlGroupClass({ size = 32, isMono = false }: ControlLook = {}): string {
  return clsx(
    'flex w-full min-w-0 items-center rounded-control border border-control-line bg-raised text-ink-1 transition-colors',
    'hover:border-ink-2 has-[input[aria-invalid=true]]:border-danger has-[input[aria-invalid=true]]:bg-danger-tint',
    'has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 has-[input:focus-visible]:outline-accent',
    'has-[input:read-only]:border-line has-[input:read-only]:bg-sunken has-[input:read-only]:text-ink-2',
    'has-[input:disabled]:border-line has-[input:disabled]:bg-sunken has-[input:disabled]:text-ink-3',
    size === 28 ? 'h-7 text-body' : 'h-8 text-input',
    isMono && 'font-mono',
  );
}

/** The bare input inside a control group. */
export const groupInputClass = 'h-full min-w-0 flex-1 bg-transparent px-2.5 outline-none';
