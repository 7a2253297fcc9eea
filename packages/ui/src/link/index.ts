export { ExternalLink, type ExternalLinkProps } from './ExternalLink.tsx';
export { Link, type LinkProps } from './Link.tsx';
export { LinkButton, type LinkButtonProps } from './LinkButton.tsx';
export { linkClass, type LinkLook } from './linkClass.ts';
