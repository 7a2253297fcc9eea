export { ExternalLink, type ExternalLinkProps } from './ExternalLink.tsx';
export { linkClass, type LinkLook } from './linkClass.ts';
