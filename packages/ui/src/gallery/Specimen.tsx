import type { ReactNode } from 'react';

/** A section of the gallery: one family of components. */
export function Family({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex min-w-0 flex-col gap-4 border-b border-line px-6 py-6">
      <h2 className="text-heading font-semibold">{title}</h2>
      <div className="flex min-w-0 flex-col gap-6">{children}</div>
    </section>
  );
}

/** A component in one of its states. */
export function Specimen({
  name,
  isRow = false,
  children,
}: {
  name: string;
  isRow?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="font-mono text-caps text-ink-3 uppercase">{name}</div>
      <div className={isRow ? 'flex min-w-0 flex-wrap items-center gap-3' : 'flex min-w-0 flex-col gap-4'}>
        {children}
      </div>
    </div>
  );
}
