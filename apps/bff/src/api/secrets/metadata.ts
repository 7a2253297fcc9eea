/** Reads and writes a secret's settings and custom metadata. */
import { harmOfKeeping } from '@gatehouse/api-types/console/harm-of';
import { noMetadataRevision, type SecretMetadata } from '@gatehouse/api-types/console/secret-metadata';
import type { KeyMetadata } from '@gatehouse/api-types/services/secrets-server';
import { guardedWrite, onceWritten } from '#conflict/guarded-write.ts';
import type { AuditNote, Guard } from '#ground/call.ts';
import { hashOf } from '#ground/fields-revision.ts';
import type { SecretDates } from '#upstreams/secret-dates.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { readMetadata, type MetadataCas } from '#upstreams/secrets-server/metadata.ts';
import type { Place } from '#upstreams/secrets-server/place.ts';
import { capabilitiesOf } from './capabilities.ts';
import { keptByEngine } from './engine.ts';
import { hasSettings } from './settings.ts';
import { notThere, secretResource, stateOf, whatFailed } from './stored-secret.ts';

/** A secret's metadata, without what the caller may do. @returns null if the secret doesn't exist */
export async function readSecretMetadata(
  caller: SecretsCaller,
  place: Place,
): Promise<SecretMetadata | null> {
  const metadata = await readMetadata(caller, place);
  return metadata === null ? null : answerOf(caller, place, metadata, null);
}

/** A call that writes settings. */
interface SettingsCall {
  /** The revision that the user saw. */
  readonly revision: string;
  readonly body: { readonly max_versions?: number | undefined };
  readonly guard: Guard;
  readonly note: AuditNote;
}

/** Writes settings at the revision that the user saw. Keeping fewer versions deletes the oldest ones, now or later. */
export async function writeSettings(
  caller: SecretsCaller,
  place: Place,
  { revision, body, guard, note }: SettingsCall,
  write: {
    /** @param cas the metadata version that must be current, if the server has check-and-set for metadata */
    readonly send: (place: Place, cas: MetadataCas) => Promise<void>;
    readonly equalsSent: (stored: SecretMetadata) => boolean;
    /** Gets the dates in the stored custom metadata. */
    readonly dates: SecretDates;
  },
): Promise<SecretMetadata> {
  const creates = revision === noMetadataRevision;
  let cas: MetadataCas = null;
  const read = async (): Promise<SecretMetadata | null> => {
    const metadata = await readMetadata(caller, place);
    // For a missing secret the server doesn't show whether it has check-and-set for metadata.
    cas = metadata === null ? 0 : metadata.current_metadata_version;
    if (metadata !== null) return answerOf(caller, place, metadata, null);
    return creates ? { ...nothing(place), revision: noMetadataRevision } : null;
  };
  const stored = await guardedWrite<SecretMetadata>({
    note,
    resource: secretResource(caller, place, 'secret-metadata'),
    turn: secretResource(caller, place),
    expected: revision,
    creates,
    readFirst: true,
    judge: async ({ max_versions: before }) => {
      const after = body.max_versions ?? before;
      if (after === before) return guard.pass(undefined);
      const engine = await keptByEngine(caller, place.mount);
      return guard.pass(harmOfKeeping({ own: before, engine }, { own: after, engine }));
    },
    read,
    revisionOf: (metadata) => metadata.revision,
    changedAt: ({ updated_time }) => updated_time,
    failed: whatFailed,
    send: async () => {
      await write.send(place, cas);
      const after = await readSecretMetadata(caller, place);
      if (after === null) throw notThere(caller);
      return after;
    },
    equalsSent: write.equalsSent,
  });
  write.dates.note(caller.transport.environment, place, stored.custom_metadata);
  return { ...stored, may: await onceWritten(() => capabilitiesOf(caller, place)) };
}

/** The revision of a secret's settings and custom metadata. */
export function metadataRevision(metadata: KeyMetadata): string {
  const { max_versions, cas_required, metadata_cas_required, delete_version_after, custom_metadata } =
    metadata;
  return hashOf({
    max_versions,
    cas_required,
    metadata_cas_required,
    delete_version_after,
    custom_metadata,
  });
}

/** Whether a secret has no settings and custom metadata of its own. */
export function isBare(metadata: KeyMetadata): boolean {
  const { max_versions, cas_required, metadata_cas_required, delete_version_after, custom_metadata } =
    metadata;
  return (
    max_versions === 0 &&
    !cas_required &&
    metadata_cas_required !== true &&
    delete_version_after === '0s' &&
    Object.keys(custom_metadata).length === 0
  );
}

/** Metadata as the page gets it. */
export function answerOf(
  caller: SecretsCaller,
  { mount, path }: Place,
  metadata: KeyMetadata,
  may: SecretMetadata['may'],
): SecretMetadata {
  const { max_versions, cas_required, delete_version_after, custom_metadata } = metadata;
  const now = caller.now();
  return {
    mount,
    path,
    revision: metadataRevision(metadata),
    max_versions,
    cas_required,
    delete_version_after,
    metadata_cas_required: metadata.metadata_cas_required,
    custom_metadata,
    created_time: metadata.created_time,
    updated_time: metadata.updated_time,
    current_version: metadata.current_version,
    oldest_version: metadata.oldest_version,
    versions: Object.entries(metadata.versions)
      .map(([version, { created_time, deletion_time, destroyed }]) => ({
        version: Number(version),
        state: stateOf({ deletion_time, destroyed }, now),
        created_time,
        deletion_time,
      }))
      .sort((a, b) => b.version - a.version),
    may,
  };
}

function nothing({ mount, path }: Place): Omit<SecretMetadata, 'revision'> {
  return {
    mount,
    path,
    max_versions: 0,
    cas_required: false,
    delete_version_after: '0s',
    metadata_cas_required: null,
    custom_metadata: {},
    created_time: '',
    updated_time: '',
    current_version: 0,
    oldest_version: 0,
    versions: [],
    may: null,
  };
}

/** Whether stored metadata is the result of a merge patch. */
export function hasChanges(stored: object, changes: Readonly<Record<string, unknown>>): boolean {
  const { custom_metadata: custom, ...settings } = changes;
  if (!hasSettings(stored, settings)) return false;
  const kept = new Map(entriesIn('custom_metadata' in stored ? stored.custom_metadata : undefined));
  if (custom === null) return kept.size === 0;
  return entriesIn(custom).every(([key, value]) => (kept.get(key) ?? null) === value);
}

function entriesIn(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
