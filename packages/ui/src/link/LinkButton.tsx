import type { ReactNode, Ref } from 'react';
import { Link as AriaLink } from 'react-aria-components';
import { type ButtonLook, buttonClass } from '../button/buttonClass.ts';
import { Icon, type IconType } from '../icon/Icon.tsx';

export interface LinkButtonProps extends Pick<ButtonLook, 'variant' | 'size'> {
  /** Navigates through react-aria's RouterProvider. */
  href: string;
  children: ReactNode;
  icon?: IconType;
  ref?: Ref<HTMLAnchorElement>;
}

/** A link with the weight of a button: `New target`. Use a Button for an action. */
export function LinkButton({ href, children, icon, variant, size, ref }: LinkButtonProps) {
  return (
    <AriaLink ref={ref} href={href} className={buttonClass({ variant, size })}>
      {icon !== undefined && <Icon icon={icon} />}
      <span className="truncate">{children}</span>
    </AriaLink>
  );
}
