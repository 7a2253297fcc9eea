import { draw } from './draw.tsx';

/** The Gatehouse logo: two towers with an arch between them, the gate half raised. */
export const GateIcon = draw(
  'GateIcon',
  <>
    <path d="M1.75 14.25v-11h3v2h6.5v-2h3v11" />
    <path d="M5 14.25V11a3 3 0 0 1 6 0v3.25" />
    <path d="M8 8v3M1 14.25h14" />
  </>,
);

/** A target: a framed port. */
export const TargetIcon = draw(
  'TargetIcon',
  <>
    <path d="M2 5V3.25C2 2.56 2.56 2 3.25 2H5M11 2h1.75c.69 0 1.25.56 1.25 1.25V5M14 11v1.75c0 .69-.56 1.25-1.25 1.25H11M5 14H3.25C2.56 14 2 13.44 2 12.75V11" />
    <circle cx="8" cy="8" r="2.25" />
  </>,
);

/** A host source: stacked machines, found through a branch. */
export const HostSourceIcon = draw(
  'HostSourceIcon',
  <>
    <rect x="1.75" y="1.75" width="12.5" height="4" rx="1" />
    <path d="M4.25 3.75h.01M8 5.75v3.5M3.5 11.5V9.25h9v2.25" />
    <rect x="2" y="11.5" width="3" height="2.75" rx=".75" />
    <rect x="11" y="11.5" width="3" height="2.75" rx=".75" />
  </>,
);

/** A credential source: a key from a store. */
export const CredentialSourceIcon = draw(
  'CredentialSourceIcon',
  <>
    <path d="M2 3.5c0-.97 1.57-1.75 3.5-1.75S9 2.53 9 3.5s-1.57 1.75-3.5 1.75S2 4.47 2 3.5ZM2 3.5v7c0 .9 1.3 1.6 3 1.74M9 3.5v1.75" />
    <circle cx="7.75" cy="11.5" r="2" />
    <path d="m9.25 10.1 4-3.85M11.5 8l1.5 1.6" />
  </>,
);

/** A session: an open line with its time. */
export const SessionIcon = draw(
  'SessionIcon',
  <>
    <circle cx="3.25" cy="4" r="1.5" />
    <path d="M4.75 4h4.5" />
    <circle cx="10.5" cy="10.25" r="3.75" />
    <path d="M10.5 8.25v2l1.25 1.25" />
  </>,
);

/** A secret: a value behind a lock plate. */
export const SecretIcon = draw(
  'SecretIcon',
  <>
    <rect x="2.25" y="2.25" width="11.5" height="11.5" rx="2" />
    <circle cx="8" cy="6.75" r="1.5" />
    <path d="M8 8.25v2.5" />
  </>,
);

/** A plugin: a part in a socket. */
export const PluginIcon = draw(
  'PluginIcon',
  <path d="M5.5 1.75v3M10.5 1.75v3M3.5 4.75h9v3.5a4.5 4.5 0 0 1-9 0ZM8 12.75v1.5" />,
);

/** A cloud role. */
export const CloudRoleIcon = draw(
  'CloudRoleIcon',
  <>
    <path d="M4.25 9.25A2.75 2.75 0 0 1 4 3.76 3.75 3.75 0 0 1 11.1 4.9a2.2 2.2 0 0 1 1.4 3.85" />
    <circle cx="8.25" cy="9.25" r="1.75" />
    <path d="M5 14.25a3.25 3.25 0 0 1 6.5 0" />
  </>,
);

/** A box: a packaged machine image. */
export const BoxIcon = draw(
  'BoxIcon',
  <>
    <path d="M8 1.5 14 4.75v6.5L8 14.5l-6-3.25v-6.5Z" />
    <path d="M2.25 4.9 8 8l5.75-3.1M8 8v6.25M5 3.1l5.9 3.2" />
  </>,
);

/** A module: a part that fits with others. */
export const ModuleIcon = draw(
  'ModuleIcon',
  <>
    <path d="M2 2h5v5H2ZM9 9h5v5H9Z" />
    <path d="M9.25 4.5h2.5v2.25M6.75 11.5h-2.5V9.25" />
  </>,
);
