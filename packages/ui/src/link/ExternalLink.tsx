import { ExternalLink as ExternalIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from '../icon/Icon.tsx';
import { type LinkLook, linkClass } from './linkClass.ts';

export interface ExternalLinkProps extends LinkLook {
  href: string;
  children: ReactNode;
}

/**
 * A link out of the console, which opens in a new tab, sends no opener or referrer, and says that it is external. Other
 * servers' records may have any text as their address: only one of the web becomes a link.
 */
export function ExternalLink({ href, children, ...look }: ExternalLinkProps) {
  return !/^https?:\/\//i.test(href) ? (
    children
  ) : (
    <a href={href} target="_blank" rel="noopener noreferrer" className={linkClass(look)}>
      {children}
      <Icon icon={ExternalIcon} size={12} className="ms-0.5 inline align-[-1px]" />
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
