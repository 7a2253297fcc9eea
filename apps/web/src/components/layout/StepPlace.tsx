import { useEffect, useRef, type ReactNode } from 'react';

/** Shows one step of a page at a time. If its button disappears, the next step gets the focus. */
export function StepPlace({
  label,
  className,
  children,
}: {
  /** Names the step; a new label means a new step. */
  label: string;
  className: string;
  children: ReactNode;
}) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(label);
  useEffect(() => {
    if (shown.current === label) return;
    shown.current = label;
    const { activeElement, body } = document;
    // The previous step is only hidden while the next one loads, so it may still hold the focus.
    if (activeElement === body || activeElement?.checkVisibility() === false) place.current?.focus();
  }, [label]);
  return (
    <div ref={place} tabIndex={-1} role="group" aria-label={label} className={`outline-none ${className}`}>
      {children}
    </div>
  );
}
