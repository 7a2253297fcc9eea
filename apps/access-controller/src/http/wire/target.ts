import type { Role } from '@gatehouse/service-kit/accounts';
import { allowedOn } from '../../domain/permissions.ts';
import type { FieldFaults } from '../../domain/refusal.ts';
import { credentialPurposes } from '../../domain/target/target.ts';
import type {
  CredentialSource,
  CredentialSources,
  Target,
  TargetAttributes,
  TargetChange,
  TargetType,
} from '../../domain/target/target.ts';
import { MemberReader } from '../body.ts';
import type { JsonObject } from '../body.ts';
import { readAttributes } from './attributes.ts';
import type { WireScopeSummary } from './scope.ts';
import { wireTime } from './time.ts';

export function wireTarget(
  target: Target,
  scope: WireScopeSummary,
  role: Role | null,
): Readonly<Record<string, unknown>> {
  return {
    id: target.id,
    scope_id: target.projectId,
    scope,
    name: target.name,
    description: target.description,
    created_time: wireTime(target.createdTime),
    updated_time: wireTime(target.updatedTime),
    version: target.version,
    type: target.type,
    host_source_ids: target.hostSources.map((source) => source.id),
    host_sources: target.hostSources.map((source) => ({
      id: source.id,
      host_catalog_id: source.hostCatalogId,
    })),
    session_max_seconds: target.sessionMaxSeconds,
    session_connection_limit: target.sessionConnectionLimit,
    worker_filter: target.workerFilter,
    egress_worker_filter: target.egressWorkerFilter,
    ingress_worker_filter: target.ingressWorkerFilter,
    ...wireCredentialSources(target.credentialSources),
    attributes: wireAttributes(target.type, target.attributes),
    address: target.address,
    authorized_actions: allowedOn('target', role),
  };
}

function wireCredentialSources(sources: CredentialSources): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    credentialPurposes.flatMap((purpose): [string, unknown][] => [
      [`${purpose}_credential_source_ids`, sources[purpose].map((source) => source.id)],
      [`${purpose}_credential_sources`, sources[purpose].map(wireCredentialSource)],
    ]),
  );
}

/** The wire form of a credential or a library as a source. */
export function wireCredentialSource(source: CredentialSource): Readonly<Record<string, unknown>> {
  return {
    id: source.id,
    name: source.name,
    description: source.description,
    credential_store_id: source.storeId,
    type: source.type,
    credential_type: source.credentialType,
  };
}

function wireAttributes(type: TargetType, attributes: TargetAttributes): Readonly<Record<string, unknown>> {
  const ports = { default_port: attributes.defaultPort, default_client_port: attributes.defaultClientPort };
  if (type !== 'ssh') return ports;
  return {
    ...ports,
    storage_bucket_id: attributes.storageBucketId,
    enable_session_recording: attributes.enableSessionRecording,
  };
}

const portAttributes = ['default_port', 'default_client_port'];
const sshAttributes = [...portAttributes, 'storage_bucket_id', 'enable_session_recording'];

/**
 * Reads the settable fields of a body, and adds their faults. Ignores unknown and read-only fields.
 * @param type the target's type, if known
 */
export function readTargetChange(
  body: JsonObject,
  type: TargetType | undefined,
  faults: FieldFaults,
): { readonly [Member in keyof Required<TargetChange>]: TargetChange[Member] } {
  const members = new MemberReader(body, faults);
  const known = type === undefined ? undefined : type === 'ssh' ? sshAttributes : portAttributes;
  const attributes = readAttributes(body, known, faults);
  const isSsh = type === undefined || type === 'ssh';
  // Refused, not ignored: Boundary's clients create aliases with a target, and would assume that these resolve.
  const aliases = body['with_aliases'];
  if (aliases !== undefined && aliases !== null && !(Array.isArray(aliases) && aliases.length === 0))
    faults.add('with_aliases', "This controller doesn't support aliases.");
  return {
    name: members.string('name'),
    description: members.string('description'),
    address: members.string('address'),
    sessionMaxSeconds: members.integer('session_max_seconds'),
    sessionConnectionLimit: members.integer('session_connection_limit'),
    workerFilter: members.string('worker_filter'),
    egressWorkerFilter: members.string('egress_worker_filter'),
    ingressWorkerFilter: members.string('ingress_worker_filter'),
    defaultPort: attributes.integer('default_port'),
    defaultClientPort: attributes.integer('default_client_port'),
    storageBucketId: isSsh ? attributes.string('storage_bucket_id') : undefined,
    enableSessionRecording: isSsh ? attributes.boolean('enable_session_recording') : undefined,
  };
}
