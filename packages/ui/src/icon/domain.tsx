import type { ReactNode } from 'react';
import type { IconType } from './Icon.tsx';

/**
 * The nouns of the domain, drawn for this console on a 16 px grid: 1.5 px strokes, round ends, open shapes.
 * They take what lucide's icons take.
 */
function draw(name: string, shape: ReactNode): IconType {
  const Drawing: IconType = ({ size = 16, strokeWidth = 1.5, className, 'aria-hidden': ariaHidden }) => (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      // The grid is 16 px: the stroke keeps its width at any size.
      strokeWidth={(Number(strokeWidth) * 16) / Number(size)}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={className}
      aria-hidden={ariaHidden}
    >
      {shape}
    </svg>
  );
  Drawing.displayName = name;
  return Drawing;
}

/** Gatehouse itself: two towers, an arch between them, the gate half raised. */
export const GateIcon = draw(
  'GateIcon',
  <>
    <path d="M1.75 14.25v-11h3v2h6.5v-2h3v11" />
    <path d="M5 14.25V11a3 3 0 0 1 6 0v3.25" />
    <path d="M8 8v3M1 14.25h14" />
  </>,
);

/** What a person connects to: a port in its frame. */
export const TargetIcon = draw(
  'TargetIcon',
  <>
    <path d="M2 5V3.25C2 2.56 2.56 2 3.25 2H5M11 2h1.75c.69 0 1.25.56 1.25 1.25V5M14 11v1.75c0 .69-.56 1.25-1.25 1.25H11M5 14H3.25C2.56 14 2 13.44 2 12.75V11" />
    <circle cx="8" cy="8" r="2.25" />
  </>,
);

/** Where hosts come from: machines in a stack, found through a branch. */
export const HostSourceIcon = draw(
  'HostSourceIcon',
  <>
    <rect x="1.75" y="1.75" width="12.5" height="4" rx="1" />
    <path d="M4.25 3.75h.01M8 5.75v3.5M3.5 11.5V9.25h9v2.25" />
    <rect x="2" y="11.5" width="3" height="2.75" rx=".75" />
    <rect x="11" y="11.5" width="3" height="2.75" rx=".75" />
  </>,
);

/** Where credentials come from: a key out of a store. */
export const CredentialSourceIcon = draw(
  'CredentialSourceIcon',
  <>
    <path d="M2 3.5c0-.97 1.57-1.75 3.5-1.75S9 2.53 9 3.5s-1.57 1.75-3.5 1.75S2 4.47 2 3.5ZM2 3.5v7c0 .9 1.3 1.6 3 1.74M9 3.5v1.75" />
    <circle cx="7.75" cy="11.5" r="2" />
    <path d="m9.25 10.1 4-3.85M11.5 8l1.5 1.6" />
  </>,
);

/** A line that is open now, and its time. */
export const SessionIcon = draw(
  'SessionIcon',
  <>
    <circle cx="3.25" cy="4" r="1.5" />
    <path d="M4.75 4h4.5" />
    <circle cx="10.5" cy="10.25" r="3.75" />
    <path d="M10.5 8.25v2l1.25 1.25" />
  </>,
);

/** A value behind a lock plate. */
export const SecretIcon = draw(
  'SecretIcon',
  <>
    <rect x="2.25" y="2.25" width="11.5" height="11.5" rx="2" />
    <circle cx="8" cy="6.75" r="1.5" />
    <path d="M8 8.25v2.5" />
  </>,
);

/** A part that is pushed into a socket. */
export const PluginIcon = draw(
  'PluginIcon',
  <path d="M5.5 1.75v3M10.5 1.75v3M3.5 4.75h9v3.5a4.5 4.5 0 0 1-9 0ZM8 12.75v1.5" />,
);

/** A role in somebody's cloud. */
export const CloudRoleIcon = draw(
  'CloudRoleIcon',
  <>
    <path d="M4.25 9.25A2.75 2.75 0 0 1 4 3.76 3.75 3.75 0 0 1 11.1 4.9a2.2 2.2 0 0 1 1.4 3.85" />
    <circle cx="8.25" cy="9.25" r="1.75" />
    <path d="M5 14.25a3.25 3.25 0 0 1 6.5 0" />
  </>,
);

/** One cluster that feeds another. */
export const ReplicationIcon = draw(
  'ReplicationIcon',
  <>
    <circle cx="4" cy="4.25" r="2.5" />
    <circle cx="12" cy="11.75" r="2.5" />
    <path d="M9 4.25h1.75c.7 0 1.25.56 1.25 1.25v1.25M10.5 5.5 12 7l1.5-1.5M7 11.75H5.25C4.56 11.75 4 11.2 4 10.5V9.25" />
  </>,
);

/** An image of a machine, packed. */
export const BoxIcon = draw(
  'BoxIcon',
  <>
    <path d="M8 1.5 14 4.75v6.5L8 14.5l-6-3.25v-6.5Z" />
    <path d="M2.25 4.9 8 8l5.75-3.1M8 8v6.25M5 3.1l5.9 3.2" />
  </>,
);

/** A part that fits with others. */
export const ModuleIcon = draw(
  'ModuleIcon',
  <>
    <path d="M2 2h5v5H2ZM9 9h5v5H9Z" />
    <path d="M9.25 4.5h2.5v2.25M6.75 11.5h-2.5V9.25" />
  </>,
);

/** A place where things run: one of several like it. */
export const EnvironmentIcon = draw(
  'EnvironmentIcon',
  <>
    <path d="m8 1.75 6.25 3.1L8 8 1.75 4.85Z" />
    <path d="m1.75 8.1 6.25 3.1 6.25-3.1M1.75 11.25 8 14.35l6.25-3.1" />
  </>,
);

/** Organisations that hold projects. */
export const ScopeIcon = draw(
  'ScopeIcon',
  <>
    <rect x="1.75" y="1.75" width="5" height="3.5" rx=".75" />
    <path d="M4.25 5.25v6.5c0 .28.22.5.5.5h3.5M4.25 7.25h4" />
    <rect x="8.25" y="5.5" width="6" height="3.5" rx=".75" />
    <rect x="8.25" y="10.75" width="6" height="3.5" rx=".75" />
  </>,
);

/** What was done, in its order. */
export const ActivityIcon = draw(
  'ActivityIcon',
  <>
    <path d="M3.5 1.75v12.5" />
    <circle cx="3.5" cy="4" r="1.25" fill="currentColor" />
    <circle cx="3.5" cy="8" r="1.25" fill="currentColor" />
    <circle cx="3.5" cy="12" r="1.25" fill="currentColor" />
    <path d="M7 4h7M7 8h4.5M7 12h6" />
  </>,
);
