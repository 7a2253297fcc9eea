export { ActivityIcon, EnvironmentIcon, ReplicationIcon, ScopeIcon } from './domain-apart.tsx';
export {
  BoxIcon,
  CloudRoleIcon,
  CredentialSourceIcon,
  GateIcon,
  HostSourceIcon,
  ModuleIcon,
  PluginIcon,
  SecretIcon,
  SessionIcon,
  TargetIcon,
} from './domain.tsx';
export { Icon, type IconProps, type IconType } from './Icon.tsx';
