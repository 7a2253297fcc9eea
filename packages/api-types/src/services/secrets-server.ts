/**
 * What a secrets server answers, as HashiCorp Vault and OpenBao do and the embedded one does. What a server may leave
 * out has its default. Values of secrets are not here: they are cut out of the text of an answer.
 */
import * as z from 'zod/mini';

const textField = z.pipe(
  z.nullish(z.string()),
  z.transform((value) => value ?? ''),
);
const countField = z.pipe(
  z.nullish(z.number()),
  z.transform((value) => value ?? 0),
);
const flagField = z.pipe(
  z.nullish(z.boolean()),
  z.transform((value) => value ?? false),
);
const textsField = z.pipe(
  z.nullish(z.record(z.string(), z.string())),
  z.transform((value) => value ?? {}),
);

/** `GET sys/health`, whatever its status. */
export const health = z.object({
  initialized: flagField,
  sealed: flagField,
  standby: flagField,
  version: textField,
});

/** The `auth` of a sign-in and of a renewal. */
export const auth = z.object({
  auth: z.object({
    /** Empty while a second factor is still required, of which `mfa_requirement` tells. */
    client_token: z.string().check(z.regex(/^[\x21-\x7e]*$/)),
    mfa_requirement: z.optional(z.unknown()),
    accessor: textField,
    entity_id: textField,
    metadata: textsField,
    /** Seconds; 0 for ever. */
    lease_duration: countField,
    renewable: flagField,
  }),
});

/** `GET auth/token/lookup-self`. */
export const ownToken = z.object({
  data: z.object({
    accessor: textField,
    display_name: textField,
    entity_id: textField,
    /** Seconds; 0 for ever. */
    ttl: countField,
    renewable: flagField,
    /** `service` or `batch`. */
    type: textField,
    meta: textsField,
  }),
});

const mountDescription = {
  type: z.string(),
  description: textField,
  options: z.nullish(z.record(z.string(), z.unknown())),
};

/** `GET sys/internal/ui/mounts/<path>`. */
export const uiMount = z.object({ data: z.object(mountDescription) });

/** `GET sys/internal/ui/mounts`. */
export const uiMounts = z.object({
  data: z.object({
    secret: z.record(z.string(), z.object(mountDescription)),
  }),
});

/** `POST sys/capabilities-self`. */
export const capabilities = z.object({ data: z.record(z.string(), z.unknown()) });

/** A list. */
export const keys = z.object({ data: z.object({ keys: z.array(z.string()) }) });

/** What an answer tells of one version. */
export const versionMetadata = z.object({
  version: z.int(),
  created_time: z.string(),
  deletion_time: textField,
  destroyed: flagField,
  custom_metadata: textsField,
});
export type VersionMetadata = z.output<typeof versionMetadata>;

/** The part of a read that is no value. */
export const versionRead = z.object({ data: z.object({ metadata: versionMetadata }) });

/** A write. */
export const versionWritten = z.object({ data: versionMetadata });

/** `GET <mount>/metadata/<path>`. */
export const keyMetadata = z.object({
  data: z.object({
    cas_required: flagField,
    created_time: z.string(),
    updated_time: z.string(),
    current_version: z.int(),
    oldest_version: countField,
    max_versions: countField,
    delete_version_after: z.pipe(
      z.nullish(z.string()),
      z.transform((value) => value ?? '0s'),
    ),
    custom_metadata: textsField,
    versions: z.record(
      z.string(),
      z.object({ created_time: z.string(), deletion_time: textField, destroyed: flagField }),
    ),
  }),
});
export type KeyMetadata = z.output<typeof keyMetadata>['data'];

/** `GET <mount>/config`. */
export const engineSettings = z.object({
  data: z.object({
    max_versions: countField,
    cas_required: flagField,
    delete_version_after: z.pipe(
      z.nullish(z.string()),
      z.transform((value) => value ?? '0s'),
    ),
  }),
});
export type EngineSettings = z.output<typeof engineSettings>['data'];
