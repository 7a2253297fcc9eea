import { EnvironmentBadge, GateRail } from '../environment/Environment.tsx';
import { ActivityIcon, EnvironmentIcon, ReplicationIcon, ScopeIcon } from '../icon/domain-apart.tsx';
import {
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
} from '../icon/domain.tsx';
import { Icon } from '../icon/Icon.tsx';
import { Family, Specimen } from './Specimen.tsx';

const colors = [
  ['page', 'bg-page'],
  ['surface', 'bg-surface'],
  ['raised', 'bg-raised'],
  ['sunken', 'bg-sunken'],
  ['hover', 'bg-hover'],
  ['selected', 'bg-selected'],
  ['line', 'bg-line'],
  ['control line', 'bg-control-line'],
  ['ink 1', 'bg-ink-1'],
  ['ink 2', 'bg-ink-2'],
  ['ink 3', 'bg-ink-3'],
  ['accent', 'bg-accent'],
  ['ok', 'bg-ok'],
  ['warn', 'bg-warn'],
  ['danger', 'bg-danger'],
  ['info', 'bg-info'],
] as const;

const nouns = [
  ['Gate', GateIcon],
  ['Target', TargetIcon],
  ['Host source', HostSourceIcon],
  ['Credential source', CredentialSourceIcon],
  ['Session', SessionIcon],
  ['Secret', SecretIcon],
  ['Plugin', PluginIcon],
  ['Cloud role', CloudRoleIcon],
  ['Replication', ReplicationIcon],
  ['Box', BoxIcon],
  ['Module', ModuleIcon],
  ['Environment', EnvironmentIcon],
  ['Scope', ScopeIcon],
  ['Activity', ActivityIcon],
] as const;

const environments = [
  { kind: 'production', name: 'production' },
  { kind: 'staging', name: 'staging' },
  { kind: 'development', name: 'development' },
] as const;

/** Colors, type, icons, environments. */
export function Foundations() {
  return (
    <Family title="Foundations">
      <Specimen name="Color" isRow>
        {colors.map(([name, className]) => (
          <div key={name} className="flex w-20 flex-col gap-1">
            <span className={`h-8 rounded-control border border-line ${className}`} />
            <span className="text-meta text-ink-2">{name}</span>
          </div>
        ))}
      </Specimen>
      <Specimen name="Type">
        <div className="flex flex-col gap-2">
          <div className="text-title font-semibold">Page title 20/28</div>
          <div className="text-heading font-semibold">Section 16/24</div>
          <div className="text-input">Inputs and dialogs 14/20</div>
          <div className="text-body">Body and tables 13/20: the bastion opens 22 and 5432, 0123456789</div>
          <div className="font-mono text-meta">Meta and ids 12/16 ttcp_1234567890</div>
          <div className="font-mono text-caps uppercase">Column heads 11/16</div>
        </div>
      </Specimen>
      <Specimen name="Nouns of the domain" isRow>
        {nouns.map(([name, icon]) => (
          <span key={name} className="flex w-24 flex-col items-center gap-1 text-meta text-ink-2">
            <Icon icon={icon} size={24} className="text-ink-1" />
            <span className="flex items-center gap-1">
              <Icon icon={icon} />
              {name}
            </span>
          </span>
        ))}
      </Specimen>
      <Specimen name="Environments" isRow>
        {environments.map(({ kind, name }) => (
          <div key={kind} className="flex h-12 items-center gap-3 border border-line bg-surface pe-4">
            <GateRail kind={kind} />
            <EnvironmentBadge kind={kind} name={name} />
          </div>
        ))}
      </Specimen>
    </Family>
  );
}
