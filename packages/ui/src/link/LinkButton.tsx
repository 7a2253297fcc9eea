import type { ReactNode, Ref } from 'react';
import { Link as AriaLink } from 'react-aria-components';
import { type ButtonLook, buttonClass } from '../button/buttonClass.ts';
import { Icon, type IconType } from '../icon/Icon.tsx';

export interface LinkButtonProps extends Pick<ButtonLook, 'variant' | 'size'> {
  /** Followed by the RouterProvider of react-aria. */
  href: string;
  children: ReactNode;
  icon?: IconType;
  ref?: Ref<HTMLAnchorElement>;
}

/** A place that deserves the weight of a button: `New target`. What acts is a Button. */
export function LinkButton({ href, children, icon, variant, size, ref }: LinkButtonProps) {
  return (
    <AriaLink ref={ref} href={href} className={buttonClass({ variant, size })}>
      {icon !== undefined && <Icon icon={icon} />}
      <span className="truncate">{children}</span>
    </AriaLink>
  );
}
