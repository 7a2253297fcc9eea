import { CircleAlert, Lock } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { Icon } from '../icon/Icon.tsx';
import { lazy } from '../lazy/parts.ts';

// Loaded on demand: few fields have help, and it needs popovers, which most pages don't.
const HelpButton = lazy(() => import('./HelpButton.tsx'));

/** Longer help behind a button; read with the keyboard, closed with Esc. */
export function FieldHelp({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Suspense fallback={<span className="-my-1 size-6" />}>
      <HelpButton label={label}>{children}</HelpButton>
    </Suspense>
  );
}

/** The control announces it to assistive technology. */
export function RequiredMark() {
  return (
    <span aria-hidden className="text-meta text-ink-3">
      required
    </span>
  );
}

/** Why something can't be changed, with a lock icon. */
export function Reason({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-start gap-1">
      <Icon icon={Lock} size={12} className="mt-0.5" />
      <span>{children}</span>
    </span>
  );
}

/** An error, with an icon so that it doesn't depend on color. */
export function ErrorText({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-start gap-1 text-meta text-danger">
      <Icon icon={CircleAlert} size={12} className="mt-0.5" />
      <span>{children}</span>
    </span>
  );
}

/** The class of the element that contains a FieldLayout. */
export const fieldLayoutClass = 'flex min-w-0 flex-col gap-1';
