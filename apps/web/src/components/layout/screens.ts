import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Environment } from '@gatehouse/api-types/console/session';
import {
  BoxIcon,
  CloudRoleIcon,
  CredentialSourceIcon,
  GateIcon,
  HostSourceIcon,
  ModuleIcon,
  PluginIcon,
  ReplicationIcon,
  SecretIcon,
  SessionIcon,
  TargetIcon,
  type IconType,
} from '@gatehouse/ui/icon';
import type { LinkProps } from '@tanstack/react-router';
import { Cable, History, Users } from 'lucide-react';
import { hasService } from '#lib/has-service.ts';

type Path = Extract<LinkProps['to'], `/$environment${string}`>;

/**
 * A screen in the navigation, the palette, the shortcuts and their sheet. Its route has no parameters except
 * the environment.
 */
export interface Screen {
  readonly to: Exclude<Path, `/$environment${string}$${string}`>;
  readonly label: string;
  readonly icon: IconType;
  /** Keys that open it. */
  readonly keys: string;
}

export interface ScreenGroup {
  /** The screens' service; undefined for those of the console. */
  readonly service?: ServiceName;
  readonly screens: readonly Screen[];
}

const screenGroups: readonly ScreenGroup[] = [
  {
    screens: [
      { to: '/$environment', label: 'Overview', icon: GateIcon, keys: 'g o' },
      { to: '/$environment/activity', label: 'Activity', icon: History, keys: 'g a' },
    ],
  },
  {
    service: 'access',
    screens: [
      { to: '/$environment/targets', label: 'Targets', icon: TargetIcon, keys: 'g t' },
      { to: '/$environment/host-sources', label: 'Host sources', icon: HostSourceIcon, keys: 'g h' },
      {
        to: '/$environment/credential-sources',
        label: 'Credential sources',
        icon: CredentialSourceIcon,
        keys: 'g k',
      },
      { to: '/$environment/sessions', label: 'Sessions', icon: SessionIcon, keys: 'g s' },
      { to: '/$environment/people', label: 'People', icon: Users, keys: 'g p' },
    ],
  },
  {
    service: 'secrets',
    screens: [
      { to: '/$environment/secrets', label: 'Secrets', icon: SecretIcon, keys: 'g v' },
      { to: '/$environment/plugins', label: 'Plugins', icon: PluginIcon, keys: 'g l' },
      { to: '/$environment/cloud', label: 'Cloud roles', icon: CloudRoleIcon, keys: 'g r' },
      { to: '/$environment/replication', label: 'Replication', icon: ReplicationIcon, keys: 'g e' },
    ],
  },
  {
    service: 'boxes',
    screens: [{ to: '/$environment/boxes', label: 'Boxes', icon: BoxIcon, keys: 'g b' }],
  },
  {
    service: 'modules',
    screens: [{ to: '/$environment/modules', label: 'Modules', icon: ModuleIcon, keys: 'g m' }],
  },
  { screens: [{ to: '/$environment/connections', label: 'Connections', icon: Cable, keys: 'g c' }] },
];

/** The service of the screens at `/environment/screen`; undefined for those of the console. */
export function serviceOfScreen(screen: string): ServiceName | undefined {
  return screenGroups.find(({ screens }) => screens.some(({ to }) => to === `/$environment/${screen}`))
    ?.service;
}

/** The screens of an environment, without those of services that it doesn't have. */
export function screenGroupsOf(environment: Pick<Environment, 'services'>): readonly ScreenGroup[] {
  return screenGroups.filter(({ service }) => service === undefined || hasService(environment, service));
}
