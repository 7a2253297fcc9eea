/** The commands and screens that the palette offers on every page, with the words that people look for them by. */
import type { Scope } from '@gatehouse/api-types/console/scopes';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Environment } from '@gatehouse/api-types/console/session';
import {
  BoxIcon,
  CloudRoleIcon,
  CredentialSourceIcon,
  HostSourceIcon,
  ModuleIcon,
  PluginIcon,
  ReplicationIcon,
  SecretIcon,
  SessionIcon,
  TargetIcon,
  type IconType,
} from '@gatehouse/ui/icon';
import {
  BookOpen,
  Building2,
  History,
  KeyRound,
  ListChecks,
  MonitorSmartphone,
  Moon,
  Server,
  Settings2,
  Sun,
  SunMoon,
  Users,
} from 'lucide-react';
import { hasService } from '#lib/has-service.ts';
import type { Theme } from '#lib/theme.ts';
import { mountingRefused } from '#queries/secrets.ts';
import { screenGroupsOf } from '../layout/screens.ts';
import {
  accountHref,
  newBoxHref,
  newOrganizationHref,
  organizationsHref,
  publishHref,
  settingsHref,
} from '../places/boxes.ts';
import { cloudHref, cloudLeaseHref, cloudRootHref, newCloudRoleHref } from '../places/cloud.ts';
import { moduleTokensHref, publishModuleHref } from '../places/modules.ts';
import { movesHref, newMoveHref } from '../places/moves.ts';
import { newPluginHref, pluginsHref } from '../places/plugins.ts';
import {
  compareHref,
  failoverHref,
  guidesHref,
  newSecondaryHref,
  replicationHref,
} from '../places/replication.ts';
import {
  engineHref,
  exportHref,
  findValueHref,
  importHref,
  newSecretHref,
  recycleBinHref,
} from '../places/secrets.ts';
import type { Errand } from '../record/use-errand.ts';

/** A command of the palette. */
export interface Command {
  readonly id: string;
  /** The text of the button, or the screen's title. */
  readonly label: string;
  /** Other words that find the command. */
  readonly words: string;
  readonly icon: IconType;
  readonly href: string;
  readonly detail?: string;
  readonly shortcut?: string;
  /** The dialog that its screen opens at once. */
  readonly errand?: Errand;
  /** Whether it is a screen. Screens are listed before anything is typed. */
  readonly isScreen?: boolean;
  /** Why the user isn't allowed to use it. */
  readonly refusal?: string;
}

/** Mounts of engines, which commands name. */
export interface Mounts {
  readonly secrets: readonly string[];
  readonly cloud: readonly string[];
  /** Whether the user may mount an engine, if known. */
  readonly mayMount?: boolean | null | undefined;
}

/** Other words that find a screen. */
const wordsOfScreens: Readonly<Record<string, string>> = {
  '/$environment':
    'home dashboard start status health news wrong attention expiring soon due reminders rotation',
  '/$environment/activity':
    'audit trail log history changed changes change did deleted events investigate who revealed reveal read secrets failed logins logged export download json',
  '/$environment/targets': 'servers machines databases endpoints why missing not listed',
  '/$environment/host-sources': 'host catalogs host sets hosts inventory addresses',
  '/$environment/credential-sources':
    'credential stores libraries brokered injected ssh key certificate password',
  '/$environment/sessions': 'live connections active connected online cancel kill terminate end ssh',
  '/$environment/people':
    'users accounts members team staff roles permissions access give grant rights offboard disable enable lock out remove delete reset password leaver',
  '/$environment/secrets':
    'passwords key value kv vault engines compare diff environments copy move delete destroy versions history rollback share',
  '/$environment/plugins': 'catalog sha256 hash check binary file upgrade pin reload mount replaced',
  '/$environment/cloud':
    'aws iam user sts assume federation token policy revoke leases generate credentials keys convert mount engine policies permissions',
  '/$environment/replication':
    'cluster clusters primary secondary promote demote disable lag canary activation token paths filter digest lost writes nodes raft',
  '/$environment/boxes':
    'vagrant box image images virtual machines registry release revoke delete versions checksum download',
  '/$environment/modules':
    'terraform module opentofu registry deprecate revoke yank versions consumers upgrade diff readme',
  '/$environment/connections': 'services sign in reconnect tokens expire status connect seal sealed unseal',
};

type Row = readonly [
  label: string,
  icon: IconType,
  href: (environment: string) => string,
  words: string,
  detail?: string,
  /** The controller's name of the collection in which it creates, and the word for it in a sentence. */
  creates?: readonly [collection: string, many: string],
  errand?: Errand,
];

const rows: Readonly<Record<ServiceName, readonly Row[]>> = {
  access: [
    [
      'New target',
      TargetIcon,
      (at) => `/${at}/targets/new`,
      'server machine database host',
      undefined,
      ['targets', 'targets'],
    ],
    [
      'Authorize session by name',
      SessionIcon,
      (at) => `/${at}/targets/authorize`,
      'target open login psql rdp',
    ],
    [
      'New host catalog',
      HostSourceIcon,
      (at) => `/${at}/host-sources/new`,
      'hosts inventory source',
      undefined,
      ['host-catalogs', 'host catalogs'],
    ],
    [
      'New credential store',
      CredentialSourceIcon,
      (at) => `/${at}/credential-sources/new`,
      'credentials library vault source',
      undefined,
      ['credential-stores', 'credential stores'],
    ],
    [
      'New person',
      Users,
      (at) => `/${at}/people/new`,
      'user account member invite onboard teammate colleague employee',
      undefined,
      ['users', 'people'],
    ],
    [
      'Show first steps',
      ListChecks,
      (at) => `/${at}#first-steps`,
      'tour help guide getting started introduction onboarding set up',
      'Overview',
      ['users', 'people'],
    ],
  ],
  secrets: [
    [
      'New engine',
      SecretIcon,
      (at) => `/${at}/secrets`,
      'mount enable key value kv vault',
      undefined,
      undefined,
      'new-engine',
    ],
    ['Register a plugin', PluginIcon, (at) => newPluginHref(at), 'new add plugin catalog', 'Plugin catalog'],
    [
      'Check a file',
      PluginIcon,
      (at) => pluginsHref(at),
      'plugin sha256 hash verify binary checksum',
      'Plugins',
    ],
    [
      'Generate cloud credentials',
      CloudRoleIcon,
      (at) => cloudHref(at),
      'aws keys sts token issue get temporary',
      'AWS keys by role',
    ],
    ['Revoke leases', CloudRoleIcon, (at) => cloudHref(at), 'lease revoke cloud credentials aws end'],
    [
      'Failover planner',
      ReplicationIcon,
      (at) => failoverHref(at),
      'role change promote demote primary switch over runbook disaster',
      'Replication',
    ],
    ['Add a secondary', ReplicationIcon, (at) => newSecondaryHref(at), 'new cluster replica', 'Replication'],
    [
      'Create an activation token',
      ReplicationIcon,
      (at) => replicationHref(at),
      'secondary cluster enable',
      'Replication',
    ],
    [
      'Recovery guides',
      ReplicationIcon,
      (at) => guidesHref(at),
      'rejoin without a wipe two primaries lost writes split brain',
      'Replication',
    ],
    ['Compare clusters', ReplicationIcon, (at) => compareHref(at), 'digest difference drift', 'Replication'],
  ],
  boxes: [
    ['Publish a box', BoxIcon, (at) => publishHref(at), 'new version upload image vagrant release add'],
    ['New box without a version', BoxIcon, (at) => newBoxHref(at), 'vagrant create empty'],
    ['Organizations', Building2, (at) => organizationsHref(at), 'members owners teams boxes namespace'],
    ['New organization', Building2, (at) => newOrganizationHref(at), 'owner team boxes namespace'],
    ['Box registry tokens', KeyRound, (at) => accountHref(at), 'api account vagrant cloud login credentials'],
    [
      'Second factor of the box registry',
      KeyRound,
      (at) => accountHref(at),
      'two authentication totp account sign in',
    ],
    [
      'Box registry settings',
      Settings2,
      (at) => settingsHref(at),
      'configuration limits quotas administrators',
    ],
    [
      'Import boxes',
      BoxIcon,
      (at) => newMoveHref(at, 'boxes'),
      'move migrate copy from hcp vagrant cloud another registry',
    ],
    [
      'Moves of boxes',
      BoxIcon,
      (at) => movesHref(at, 'boxes'),
      'imports in progress finished reports migrate',
    ],
  ],
  modules: [
    [
      'Publish a module',
      ModuleIcon,
      (at) => publishModuleHref(at),
      'new version upload terraform release add',
    ],
    [
      'Module tokens',
      KeyRound,
      (at) => moduleTokensHref(at),
      'api token terraform registry login credentials',
    ],
    [
      'Import modules',
      ModuleIcon,
      (at) => newMoveHref(at, 'modules'),
      'move migrate copy from terraform another registry',
    ],
    [
      'Moves of modules',
      ModuleIcon,
      (at) => movesHref(at, 'modules'),
      'imports in progress finished reports migrate',
    ],
  ],
};

/** Commands of the console itself, in every environment. */
const ofConsole: readonly Row[] = [
  [
    'Your sessions',
    MonitorSmartphone,
    (at) => `/${at}/connections#sessions`,
    'signed in where devices end others console session sign out everywhere all profile',
  ],
  ['Console API', BookOpen, () => '/api/openapi.json', 'documentation openapi reference'],
];

/** Commands of an engine. They name the mount if there are several. */
function inMounts(environment: string, { secrets, cloud }: Mounts): readonly (readonly [string, Row])[] {
  const named = (mounts: readonly string[], rowsOf: (mount: string) => readonly Row[]) =>
    mounts.flatMap((mount) =>
      rowsOf(mount).map(([label, ...rest]): readonly [string, Row] => [
        mount,
        [mounts.length === 1 ? label : `${label}: ${mount}`, ...rest],
      ]),
    );
  const ofSecrets = (mount: string): readonly Row[] => {
    const place = { environment, mount, path: '' };
    return [
      ['New secret', SecretIcon, () => newSecretHref(place), 'generate random password key value kv'],
      [
        'Import secrets',
        SecretIcon,
        () => importHref(place),
        'env dotenv json yaml file upload environment variables',
      ],
      [
        'Find a value',
        SecretIcon,
        () => findValueHref(place),
        'search leaked secret contains where password used',
      ],
      ['Export secrets', SecretIcon, () => exportHref(place, 'folder'), 'download backup file'],
      [
        'Recycle bin',
        History,
        () => recycleBinHref(place),
        'deleted secrets undelete restore recover empty trash',
      ],
      [
        'Secrets engine settings',
        Settings2,
        () => engineHref(place),
        'configuration max versions check-and-set tune unmount delete engine kv',
      ],
    ];
  };
  const ofCloud = (mount: string): readonly Row[] => {
    const place = { environment, mount };
    return [
      ['New cloud role', CloudRoleIcon, () => newCloudRoleHref(place), 'aws iam sts add'],
      ['Rotate root credentials', CloudRoleIcon, () => cloudRootHref(place), 'aws root keys config'],
      ['Lease settings', CloudRoleIcon, () => cloudLeaseHref(place), 'aws lease duration ttl config'],
    ];
  };
  return [...named(secrets, ofSecrets), ...named(cloud, ofCloud)];
}

/** Why the user can't create in a collection of the controller; empty if they can. */
function refusalOf(
  scopes: readonly Scope[],
  [collection, many]: readonly [string, string],
): { readonly refusal?: string } {
  const can = scopes.some((scope) => scope.authorized_collection_actions[collection]?.includes('create'));
  return can ? {} : { refusal: `Your role in the access controller doesn't let you create ${many}.` };
}

/** The commands of the services that an environment has. */
export function commandsOf(
  environment: Environment,
  mounts: Mounts,
  scopes?: readonly Scope[],
): readonly Command[] {
  const { id } = environment;
  const commandOf = ([label, icon, href, words, detail, creates, errand]: Row, in_ = ''): Command => ({
    id: `command ${label} ${in_}`,
    label,
    icon,
    words: `${words} ${in_}`,
    href: href(id),
    ...(detail !== undefined && { detail }),
    ...(errand !== undefined && { errand }),
    ...(errand === 'new-engine' && mounts.mayMount === false && { refusal: mountingRefused }),
    ...(creates !== undefined && scopes !== undefined && refusalOf(scopes, creates)),
  });
  return [
    ...screenGroupsOf(environment)
      .flatMap(({ screens }) => screens)
      .map(({ to, label, icon, keys }) => ({
        id: `screen ${to.replace('$environment', id)}`,
        label,
        icon,
        words: wordsOfScreens[to] ?? '',
        href: to.replace('$environment', id),
        shortcut: keys,
        isScreen: true,
      })),
    ...(['access', 'secrets', 'boxes', 'modules'] as const)
      .filter((service) => hasService(environment, service))
      .flatMap((service) => rows[service].map((row) => commandOf(row))),
    ...inMounts(id, mounts).map(([mount, row]) => commandOf(row, mount)),
    ...ofConsole.map((row) => commandOf(row)),
  ];
}

/** Commands that switch to an environment. */
export function environmentCommands(environments: readonly Environment[]): readonly Command[] {
  return environments.map(({ id, name, kind }) => ({
    id: `environment ${id}`,
    label: `Environment: ${name}`,
    words: `switch change connect sign in ${kind}`,
    icon: Server,
    href: `/${id}`,
  }));
}

const wordsOfThemes = 'mode appearance color night day';

export const themeCommands = [
  { id: 'theme light', theme: 'light', label: 'Theme: Light', icon: Sun, words: wordsOfThemes },
  { id: 'theme dark', theme: 'dark', label: 'Theme: Dark', icon: Moon, words: wordsOfThemes },
  { id: 'theme system', theme: 'system', label: 'Theme: System', icon: SunMoon, words: wordsOfThemes },
] as const satisfies readonly (Omit<Command, 'href'> & { readonly theme: Theme })[];

/** Other words that find the shortcuts of the shell and its menus, by their labels. */
export const wordsOfLabels: Readonly<Record<string, string>> = {
  'Sign out': 'leave exit quit end my session',
  'Change password': 'own my account credentials reset',
  'Show keyboard shortcuts': 'help hotkeys',
  'Verify the trail': 'audit activity hash chain check integrity',
  'Time zone: UTC': 'clock local time setting',
  "Time zone: this computer's": 'clock local time setting',
};
