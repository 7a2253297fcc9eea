/** Icons that the navigation doesn't use, in a separate file so that not every page loads them. */
import { draw } from './draw.tsx';

/** A cluster that replicates to another. */
export const ReplicationIcon = draw(
  'ReplicationIcon',
  <>
    <circle cx="4" cy="4.25" r="2.5" />
    <circle cx="12" cy="11.75" r="2.5" />
    <path d="M9 4.25h1.75c.7 0 1.25.56 1.25 1.25v1.25M10.5 5.5 12 7l1.5-1.5M7 11.75H5.25C4.56 11.75 4 11.2 4 10.5V9.25" />
  </>,
);

/** One of several similar environments. */
export const EnvironmentIcon = draw(
  'EnvironmentIcon',
  <>
    <path d="m8 1.75 6.25 3.1L8 8 1.75 4.85Z" />
    <path d="m1.75 8.1 6.25 3.1 6.25-3.1M1.75 11.25 8 14.35l6.25-3.1" />
  </>,
);

/** Organizations that contain projects. */
export const ScopeIcon = draw(
  'ScopeIcon',
  <>
    <rect x="1.75" y="1.75" width="5" height="3.5" rx=".75" />
    <path d="M4.25 5.25v6.5c0 .28.22.5.5.5h3.5M4.25 7.25h4" />
    <rect x="8.25" y="5.5" width="6" height="3.5" rx=".75" />
    <rect x="8.25" y="10.75" width="6" height="3.5" rx=".75" />
  </>,
);

/** Recorded actions in order. */
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
