import { useEffect, useRef, type ReactNode } from 'react';

/** Where a page shows one step after the other. A step whose button went with it hands the focus to the next one. */
export function StepPlace({
  label,
  className,
  children,
}: {
  /** Names the step: another label is another step. */
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
    // The step before is only hidden while the next one loads: the browser takes the focus from it later.
    if (activeElement === body || activeElement?.checkVisibility() === false) place.current?.focus();
  }, [label]);
  return (
    <div ref={place} tabIndex={-1} role="group" aria-label={label} className={`outline-none ${className}`}>
      {children}
    </div>
  );
}
