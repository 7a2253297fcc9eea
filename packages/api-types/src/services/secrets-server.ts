/**
 * Answers of a secrets server: HashiCorp Vault, OpenBao and the embedded server. Fields that a server may omit have
 * defaults. Values of secrets are not here, because they are cut out of an answer's text.
 */
import * as z from 'zod/mini';
import { countField, flagField, headText, keyField, textField } from './fields.ts';

/** 100 years, in seconds: the longest duration that is believed, so that the time at its end is valid. */
export const longestSeconds = 100 * 365 * 86_400;
/** The end of the year 9999, in seconds since the epoch. */
const lastSeconds = 253_402_300_799;
/** Whole seconds, limited so that a time calculated from them is valid. */
const secondsField = (most = longestSeconds) =>
  z.pipe(
    countField,
    z.transform((value) => Math.min(Math.max(Math.ceil(value), 0), most)),
  );
const textsField = z.pipe(
  z.pipe(
    // The parser drops this key, so the next write would lose it.
    z.optional(z.unknown().check(z.refine((texts) => !Object.hasOwn(Object(texts), '__proto__')))),
    z.nullish(z.record(z.string(), z.string())),
  ),
  z.transform((value) => value ?? {}),
);

/** `GET sys/health`, for any status. */
export const health = z.object({
  initialized: flagField,
  sealed: flagField,
  standby: flagField,
  version: textField,
  /** Vault reports whether it is the enterprise edition; OpenBao has no editions. */
  enterprise: z.nullish(z.boolean()),
});

/** The `auth` of a sign-in or a renewal. */
export const auth = z.object({
  auth: z.object({
    /** Empty while a second factor is required (`mfa_requirement`). */
    client_token: headText.check(z.regex(/^[\x21-\x7e]*$/)),
    mfa_requirement: z.optional(z.unknown()),
    accessor: textField,
    entity_id: textField,
    metadata: textsField,
    /** In seconds; 0 for no expiry. */
    lease_duration: secondsField(),
    renewable: flagField,
  }),
});

/** `GET auth/token/lookup-self`. */
export const ownToken = z.object({
  data: z.object({
    accessor: textField,
    display_name: textField,
    entity_id: textField,
    /** The account or token that created it, if another one did; sent by embedded servers only. */
    owner: textField,
    /** In seconds; 0 for no expiry. */
    ttl: secondsField(),
    renewable: flagField,
    /** `service` or `batch`. */
    type: textField,
    meta: textsField,
  }),
});

/** `POST auth/token/lookup-accessor`. */
export const foundToken = z.object({
  data: z.object({
    accessor: z.string(),
    entity_id: textField,
    /** The sign-in or request that created it, such as `auth/userpass/login/ada`. */
    path: textField,
    meta: textsField,
    /** In seconds since the epoch. */
    creation_time: secondsField(lastSeconds),
    /** Empty if it doesn't expire. */
    expire_time: textField,
  }),
});
export type FoundToken = z.output<typeof foundToken>['data'];

/** A list of texts, or one text separated by commas. */
const listField = z.pipe(
  z.nullish(z.union([z.array(z.string()), z.string()])),
  z.transform((value) =>
    typeof value === 'string' ? value.split(',').filter((text) => text !== '') : (value ?? []),
  ),
);

const mountDescription = {
  type: z.string(),
  description: textField,
  options: z.nullish(z.record(z.string(), z.unknown())),
};

/** An engine or an auth method, and the plugin that it runs. */
export const pluginMount = z.object({
  ...mountDescription,
  uuid: textField,
  /** The version set for the mount. */
  plugin_version: textField,
  running_plugin_version: textField,
  running_sha256: textField,
  /** Old servers have the plugin's name here and the type `plugin`. */
  config: z.nullish(z.object({ plugin_name: textField })),
});
export type WirePluginMount = z.output<typeof pluginMount>;

/**
 * Mounts by path with a trailing slash. Limited because the caller's rights are requested for each; servers have
 * hundreds at most.
 */
const mountsByPath = z.pipe(
  // Before the mounts are parsed one by one.
  z.unknown().check(
    z.refine((mounts) => {
      const paths = Object.keys(Object(mounts));
      return paths.length <= 10_000 && paths.every((path) => path.length <= 16_384);
    }),
  ),
  z.record(z.string(), pluginMount),
);

/** `GET sys/mounts` and `GET sys/auth`. */
export const pluginMounts = z.object({ data: mountsByPath });

/** `GET sys/internal/ui/mounts/<path>`. */
export const uiMount = z.object({ data: z.object({ ...mountDescription, uuid: textField }) });

/** `GET sys/internal/ui/mounts`. */
export const uiMounts = z.object({
  data: z.object({
    secret: mountsByPath,
    auth: z.nullish(mountsByPath),
  }),
});

/** `GET sys/internal/ui/resultant-acl`. */
export const resultantAcl = z.object({
  data: z.object({
    root: flagField,
    exact_paths: grants(),
    glob_paths: grants(),
  }),
});

function grants() {
  return z.pipe(
    z.nullish(z.record(z.string(), z.object({ capabilities: z.nullish(z.array(z.string())) }))),
    z.transform((value) => value ?? {}),
  );
}

/** `POST sys/capabilities-self`. */
export const capabilities = z.object({ data: z.record(z.string(), z.unknown()) });

/** A list. For an empty folder, servers without paging return a warning and no `keys`. */
export const keys = z.object({
  data: z.pipe(
    z.nullable(z.object({ keys: z.nullish(z.array(keyField)) })),
    z.transform((value) => ({ keys: value?.keys ?? [] })),
  ),
});

/** An answer's information about one version. */
export const versionMetadata = z.object({
  version: z.int(),
  created_time: z.string(),
  deletion_time: textField,
  destroyed: flagField,
  custom_metadata: textsField,
});
export type VersionMetadata = z.output<typeof versionMetadata>;

/** The part of a read other than the values. */
export const versionRead = z.object({ data: z.object({ metadata: versionMetadata }) });

/** The answer to a write. */
export const versionWritten = z.object({ data: versionMetadata });

/** From a server with check-and-set for metadata (OpenBao); null for other servers. */
const metadataCas = z.pipe(
  z.nullish(z.boolean()),
  z.transform((value) => value ?? null),
);

/** `GET <mount>/metadata/<path>`. */
export const keyMetadata = z.object({
  data: z.object({
    cas_required: flagField,
    metadata_cas_required: metadataCas,
    /** The metadata version for check-and-set; null from a server without one. */
    current_metadata_version: z.pipe(
      z.nullish(z.int()),
      z.transform((value) => value ?? null),
    ),
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
    metadata_cas_required: metadataCas,
    delete_version_after: z.pipe(
      z.nullish(z.string()),
      z.transform((value) => value ?? '0s'),
    ),
  }),
});
export type EngineSettings = z.output<typeof engineSettings>['data'];

/** An entry of the plugin catalog's `detailed`. */
export const catalogEntry = z.object({
  type: textField,
  name: z.string(),
  version: textField,
  builtin: flagField,
  declarative: flagField,
  sha256: textField,
  deprecation_status: textField,
  oci_image: textField,
  runtime: textField,
});

/** `GET sys/plugins/catalog`. The plain lists omit registrations with a version. */
export const pluginCatalog = z.object({
  data: z.object({
    auth: listField,
    database: listField,
    secret: listField,
    detailed: z.nullish(z.array(catalogEntry)),
  }),
});

/** `GET sys/plugins/catalog/<type>/<name>`; without data if the server doesn't know the type. */
export const registeredPlugin = z.object({
  data: z.nullish(
    z.object({
      version: textField,
      builtin: flagField,
      declarative: flagField,
      sha256: textField,
      command: textField,
      args: listField,
      oci_image: textField,
      runtime: textField,
      deprecation_status: textField,
      /** Only from the embedded server: whether it would run the plugin. */
      state: textField,
      /** Only from the embedded server: why it wouldn't. */
      state_reason: textField,
      /** Only from the embedded server, for a plugin that is a file. */
      file: z.nullish(z.object({ path: textField, sha256: textField })),
    }),
  ),
});

/** `GET sys/plugins/pins`. */
export const pluginPins = z.object({
  data: z.object({
    pinned_versions: z.pipe(
      z.nullish(z.array(z.object({ type: z.string(), name: z.string(), version: textField }))),
      z.transform((value) => value ?? []),
    ),
  }),
});

/** The answer to a plugin reload; older servers return nothing. */
export const pluginsReloaded = z.object({ data: z.nullish(z.object({ reload_id: textField })) });

/** `GET <mount>/config/root` of a cloud engine. */
export const cloudRoot = z.object({
  data: z.looseObject({
    access_key: textField,
    region: textField,
    iam_endpoint: textField,
    sts_endpoint: textField,
    max_retries: z.pipe(
      z.nullish(z.int()),
      z.transform((value) => value ?? -1),
    ),
  }),
});
export type WireCloudRoot = z.output<typeof cloudRoot>['data'];

/** `GET <mount>/config/lease`. */
export const cloudLeaseSettings = z.object({ data: z.object({ lease: textField, lease_max: textField }) });

/** `POST <mount>/config/rotate-root`. */
export const cloudRootRotated = z.object({
  data: z.object({ access_key: z.string() }),
  warnings: z.nullish(z.array(z.string())),
});

/** A map, or a list of `key=value` entries. */
const tagsField = z.pipe(
  z.nullish(z.union([z.record(z.string(), z.string()), z.array(z.string())])),
  z.transform((value): Record<string, string> => {
    if (!Array.isArray(value)) return value ?? {};
    return Object.fromEntries(
      value.map((entry) => {
        const at = entry.indexOf('=');
        return at === -1 ? [entry, ''] : [entry.slice(0, at), entry.slice(at + 1)];
      }),
    );
  }),
);

/** `GET <mount>/roles/<name>`. */
export const cloudRole = z.object({
  data: z.looseObject({
    credential_type: textField,
    role_arns: listField,
    policy_arns: listField,
    policy_document: textField,
    iam_groups: listField,
    iam_tags: tagsField,
    session_tags: tagsField,
    external_id: textField,
    default_sts_ttl: countField,
    max_sts_ttl: countField,
    user_path: textField,
    permissions_boundary_arn: textField,
  }),
});
export type WireCloudRole = z.output<typeof cloudRole>['data'];

/** `GET <mount>/creds/<name>` and `GET <mount>/sts/<name>`. */
export const cloudCredential = z.object({
  lease_id: textField,
  renewable: flagField,
  /** In seconds. */
  lease_duration: secondsField(),
  data: z.object({
    access_key: z.string(),
    secret_key: z.string(),
    security_token: z.nullish(z.string()),
    arn: textField,
    /** In seconds. */
    ttl: secondsField(),
  }),
});
export type WireCloudCredential = z.output<typeof cloudCredential>;

/** `PUT sys/leases/lookup`. */
export const lease = z.object({
  data: z.object({
    id: z.string(),
    issue_time: textField,
    expire_time: textField,
    last_renewal: textField,
    renewable: flagField,
  }),
});
export type WireLease = z.output<typeof lease>['data'];

/** `PUT sys/leases/renew`. */
export const leaseRenewed = z.object({ renewable: flagField, lease_duration: secondsField() });
