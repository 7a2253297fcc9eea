import { CircleAlert, Lock } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { Icon } from '../icon/Icon.tsx';
import { lazy } from '../lazy/parts.ts';

// Few fields have help, and it brings popovers with it, which a page of plain fields does without.
const HelpButton = lazy(() => import('./HelpButton.tsx'));

/** Longer help, behind a button: read with the keyboard, closed with Esc. */
export function FieldHelp({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Suspense fallback={<span className="-my-1 size-6" />}>
      <HelpButton label={label}>{children}</HelpButton>
    </Suspense>
  );
}

/** Assistive technology hears it from the control. */
export function RequiredMark() {
  return (
    <span aria-hidden className="text-meta text-ink-3">
      required
    </span>
  );
}

/** Why something cannot be changed, with a lock. */
export function Reason({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-start gap-1">
      <Icon icon={Lock} size={12} className="mt-0.5" />
      <span>{children}</span>
    </span>
  );
}

/** What is wrong, with an icon so that it does not rest on colour. */
export function ErrorText({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-start gap-1 text-meta text-danger">
      <Icon icon={CircleAlert} size={12} className="mt-0.5" />
      <span>{children}</span>
    </span>
  );
}

/** The class of the element that holds a FieldLayout. */
export const fieldLayoutClass = 'flex min-w-0 flex-col gap-1';
