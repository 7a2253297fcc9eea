export {
  ActivityIcon,
  BoxIcon,
  CloudRoleIcon,
  CredentialSourceIcon,
  EnvironmentIcon,
  GateIcon,
  HostSourceIcon,
  ModuleIcon,
  PluginIcon,
  ReplicationIcon,
  ScopeIcon,
  SecretIcon,
  SessionIcon,
  TargetIcon,
} from './domain.tsx';
export { Icon, type IconProps, type IconType } from './Icon.tsx';
