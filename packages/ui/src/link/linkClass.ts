import { clsx } from 'clsx';

export interface LinkLook {
  /** `text` inside sentences (underlined), `quiet` in tables and lists (underlined on hover). */
  tone?: 'text' | 'quiet';
}

/** The classes of a link, for the router's own link component. */
export function linkClass({ tone = 'text' }: LinkLook = {}): string {
  return clsx(
    'rounded-tag underline-offset-2',
    tone === 'text'
      ? 'text-accent underline decoration-accent/40 hover:decoration-current'
      : 'text-ink-1 hover:text-accent hover:underline',
  );
}
