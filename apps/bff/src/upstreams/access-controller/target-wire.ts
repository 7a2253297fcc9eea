import {
  defaultSessionMaxSeconds,
  unlimitedConnections,
  type Target,
  type createTarget,
  type targetChanges,
} from '@gatehouse/api-types/console/targets';
import type { BodyOf } from '@gatehouse/api-types/contract';
/** A target between the controller's form and the contract's. */
import type { WireTarget } from '@gatehouse/api-types/services/access-controller';
import type * as z from 'zod/mini';

export type TargetChangesBody = z.output<typeof targetChanges>;
export type NewTargetBody = BodyOf<typeof createTarget>;

/** The contract's form. Zero values, which a controller may leave out, become what they mean. */
export function targetOf(from: WireTarget): Target {
  const attributes = from.attributes ?? {};
  return {
    id: from.id,
    revision: String(from.version),
    scope_id: from.scope_id,
    scope: from.scope ?? { id: from.scope_id, type: '', name: '', description: '', parent_scope_id: '' },
    type: from.type,
    name: from.name,
    description: from.description,
    created_time: from.created_time,
    updated_time: from.updated_time,
    address: from.address,
    session_max_seconds: from.session_max_seconds || defaultSessionMaxSeconds,
    session_connection_limit: from.session_connection_limit || unlimitedConnections,
    worker_filter: from.worker_filter,
    egress_worker_filter: from.egress_worker_filter,
    ingress_worker_filter: from.ingress_worker_filter,
    attributes: {
      default_port: attributes.default_port || null,
      default_client_port: attributes.default_client_port || null,
      ...(from.type === 'ssh' && {
        storage_bucket_id: attributes.storage_bucket_id ?? '',
        enable_session_recording: attributes.enable_session_recording ?? false,
      }),
    },
    host_source_ids: from.host_source_ids,
    host_sources: from.host_sources,
    application_credential_source_ids: from.application_credential_source_ids,
    application_credential_sources: from.application_credential_sources,
    brokered_credential_source_ids: from.brokered_credential_source_ids,
    brokered_credential_sources: from.brokered_credential_sources,
    injected_application_credential_source_ids: from.injected_application_credential_source_ids,
    injected_application_credential_sources: from.injected_application_credential_sources,
    authorized_actions: from.authorized_actions,
  };
}

/** The body of a PATCH: the changed fields alone, null for what is cleared. */
export function patchOf(changes: TargetChangesBody, version: number): Record<string, unknown> {
  const { attributes, ...fields } = changes;
  return {
    version,
    ...mapValues(fields, nullWhenEmpty),
    ...(attributes !== undefined && { attributes: mapValues(attributes, nullWhenEmpty) }),
  };
}

/** The body of a POST: the fields that have a value, so that the controller's defaults apply to the others. */
export function newTargetOf(target: NewTargetBody): Record<string, unknown> {
  const { attributes, ...fields } = target;
  const set = withoutEmpty(attributes ?? {});
  return { ...withoutEmpty(fields), ...(Object.keys(set).length > 0 && { attributes: set }) };
}

/** Whether a stored target has every value that was sent. */
export function hasSent(stored: Target, sent: TargetChangesBody | NewTargetBody): boolean {
  const { attributes = {}, ...fields } = sent;
  const wanted: Record<string, unknown> = fields;
  const has: Record<string, unknown> = stored;
  const hasAttributes: Record<string, unknown> = stored.attributes;
  return (
    Object.entries(wanted).every(([name, value]) => sameField(name, has[name], value)) &&
    Object.entries(attributes).every(([name, value]) => sameField(name, hasAttributes[name], value))
  );
}

function sameField(name: string, stored: unknown, sent: unknown): boolean {
  if (sent === undefined) return true;
  switch (name) {
    case 'session_max_seconds':
      return stored === (sent ?? defaultSessionMaxSeconds);
    case 'session_connection_limit':
      return stored === (sent ?? unlimitedConnections);
    case 'address':
      return (
        typeof stored === 'string' &&
        typeof sent === 'string' &&
        canonicalAddress(stored) === canonicalAddress(sent)
      );
    case 'default_port':
      // Cleared, it becomes the type's own port.
      return sent === null || stored === sent;
    default:
      return (stored ?? '') === (sent ?? '') || (stored === undefined && sent === false);
  }
}

/** IPv6 addresses have many spellings, and a controller stores one of its own. */
function canonicalAddress(address: string): string {
  const url = `http://[${address}]`;
  return address.includes(':') && URL.canParse(url) ? new URL(url).hostname : address;
}

function nullWhenEmpty(value: unknown): unknown {
  return value === '' ? null : value;
}

function withoutEmpty(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );
}

function mapValues(fields: object, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, map(value)]),
  );
}
