export { EnvironmentBadge, type EnvironmentKind, type EnvironmentProps, GateRail } from './Environment.tsx';
