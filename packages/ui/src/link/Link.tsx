import type { ReactNode, Ref } from 'react';
import { Link as AriaLink } from 'react-aria-components';
import { type LinkLook, linkClass } from './linkClass.ts';

export interface LinkProps extends LinkLook {
  /** Navigates through react-aria's RouterProvider, which the application connects to its router. */
  href: string;
  children: ReactNode;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link within the console. */
export function Link({ href, children, ref, ...look }: LinkProps) {
  return (
    <AriaLink ref={ref} href={href} className={linkClass(look)}>
      {children}
    </AriaLink>
  );
}
