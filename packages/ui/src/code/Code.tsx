import type { ReactNode } from 'react';

/** A name, an ID or a value inside a sentence. */
export function Code({ children }: { children: ReactNode }) {
  return (
    <code className="rounded-tag border border-line bg-sunken px-1 font-mono text-[0.92em] text-ink-1 wrap-anywhere">
      {children}
    </code>
  );
}
