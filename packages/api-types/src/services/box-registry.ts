/**
 * Answers of a box registry: versions 1 and 2 of Vagrant Cloud's API, and the embedded registry. Fields that a registry
 * may omit have defaults; fields that only the embedded registry has are optional.
 */
import * as z from 'zod/mini';
import {
  countField,
  flagField,
  listOf,
  longList,
  longListOf,
  nullableCount,
  nullableText,
  headText,
  textField,
  versionNumber,
} from './fields.ts';

export const provider = z.object({
  name: z.string(),
  hosted: flagField,
  original_url: nullableText,
  download_url: nullableText,
  checksum: nullableText,
  checksum_type: nullableText,
  /** Version 2, and version 1 of later servers. */
  architecture: nullableText,
  default_architecture: z.pipe(
    z.nullish(z.boolean()),
    z.transform((value) => value ?? null),
  ),
  created_at: textField,
  updated_at: textField,
  /** Size of the image in bytes; only from the embedded registry, null before the upload. */
  size: z.nullish(z.number()),
  downloads: nullableCount,
});
export type WireProvider = z.output<typeof provider>;

export const version = z.object({
  version: versionNumber,
  status: z.string(),
  description_markdown: textField,
  created_at: textField,
  updated_at: textField,
  providers: listOf(provider),
});
export type WireVersion = z.output<typeof version>;

const summaryFields = {
  username: z.string(),
  name: z.string(),
  short_description: textField,
  description_markdown: textField,
  private: flagField,
  downloads: countField,
  created_at: textField,
  updated_at: textField,
  current_version: z.pipe(
    z.nullish(version),
    z.transform((value) => value ?? null),
  ),
};

/** `incomplete`: the members that a list has only a part of, because they are long; an addition of Gatehouse's registry. */
export const boxSummary = z.object({ ...summaryFields, incomplete: listOf(z.string()) });
export type WireBoxSummary = z.output<typeof boxSummary>;

export const box = z.object({ ...summaryFields, versions: longListOf(version) });
export type WireBox = z.output<typeof box>;

/** `GET search`. */
export const found = z.object({ boxes: z.pipe(longList, z.array(boxSummary)) });

/** `GET user/:username`. */
export const owner = z.object({
  username: z.string(),
  profile_markdown: textField,
  boxes: longListOf(boxSummary),
});

/** `GET authenticate`. */
export const account = z.object({
  user: z.object({
    username: z.string(),
    /** Only from the embedded registry: the account's ID and its creation time. */
    id: z.optional(z.string()),
    created_at: textField,
  }),
});

/** `POST authenticate`. */
export const token = z.object({
  token: headText.check(z.minLength(1)),
  token_hash: textField,
  description: textField,
  created_at: textField,
});

/** A 406 answer: a second-factor code is required, or the sent one is wrong. */
export const twoFactorNeeded = z.object({
  two_factor: z.object({
    default_delivery_method: textField,
    delivery_methods: listOf(z.string()),
  }),
});

/** `POST two-factor/request-code`. */
export const codeSent = z.object({ two_factor: z.object({ obfuscated_destination: textField }) });

/** `GET …/upload` and `GET …/upload/direct`. */
export const preparedUpload = z.object({ upload_path: headText, callback: z.optional(headText) });

// Extensions of the embedded registry

/** The caller's rights, from the embedded registry: `read`, `publish`, `manage`. */
const actions = z.array(z.string());

/** `GET namespaces/:username`. */
export const namespace = z.object({
  username: z.string(),
  kind: z.enum(['person', 'organization']),
  actions,
});
export type WireNamespace = z.output<typeof namespace>;

/** `GET namespaces`. */
export const namespaces = z.object({ namespaces: z.array(namespace) });

/** `GET organizations`. */
export const organizations = z.object({
  may_create: z.boolean(),
  organizations: z.array(z.object({ username: z.string(), actions })),
});

/** The answer of every operation on an organization or its members. */
export const organization = z.object({
  username: z.string(),
  profile_markdown: textField,
  created_at: textField,
  actions,
  members: z.nullable(
    z.array(
      z.object({
        username: z.string(),
        full_name: textField,
        role: z.enum(['owner', 'publisher', 'reader']),
      }),
    ),
  ),
});

/** `GET tokens`. */
export const tokens = z.object({
  tokens: z.array(
    z.object({
      token_hash: z.string(),
      description: textField,
      created_at: textField,
      last_used_at: textField,
      current: flagField,
    }),
  ),
});

/** `GET two-factor`, and the answer to its confirmation. */
export const twoFactorState = z.object({
  two_factor: z.object({ enabled: z.boolean(), obfuscated_destination: nullableText }),
});

/** `POST two-factor`. */
export const twoFactorSetUp = z.object({ two_factor: z.object({ secret: z.string(), uri: z.string() }) });

/** `GET box/:username/:name/downloads`: by day, oldest first, without empty days. */
export const dailyDownloads = z.object({
  downloads: z.array(z.object({ date: z.string(), count: z.int() })),
});

/** `GET settings`. */
export const settings = z.object({
  organization_creators: z.enum(['administrators', 'operators']),
  may_change: z.boolean(),
});
