/**
 * What a box registry answers, as Vagrant Cloud's API v1 does and the embedded one does. What a registry may leave out
 * has its default; what only the embedded one tells is optional.
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
const nullableText = z.pipe(
  z.nullish(z.string()),
  z.transform((value) => value ?? null),
);
const nullableCount = z.pipe(
  z.nullish(z.number()),
  z.transform((value) => value ?? null),
);
const listOf = <Item extends z.ZodMiniType>(item: Item) =>
  z.pipe(
    z.nullish(z.array(item)),
    z.transform((value) => value ?? []),
  );

/** What the caller may do there, as the embedded registry tells: `read`, `publish`, `manage`. */
const actions = z.nullish(z.array(z.string()));

export const provider = z.object({
  name: z.string(),
  hosted: flagField,
  original_url: nullableText,
  download_url: nullableText,
  checksum: nullableText,
  checksum_type: nullableText,
  architecture: nullableText,
  created_at: textField,
  updated_at: textField,
  /** Bytes of the image; the embedded registry alone tells, and null before the upload. */
  size: z.nullish(z.number()),
  downloads: nullableCount,
});
export type WireProvider = z.output<typeof provider>;

export const version = z.object({
  version: z.string(),
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

export const boxSummary = z.object(summaryFields);
export type WireBoxSummary = z.output<typeof boxSummary>;

export const box = z.object({ ...summaryFields, versions: listOf(version), actions });
export type WireBox = z.output<typeof box>;

/** `GET search`. */
export const found = z.object({ boxes: z.array(boxSummary) });

/** `GET user/:username`. */
export const owner = z.object({
  username: z.string(),
  profile_markdown: textField,
  boxes: listOf(boxSummary),
  /** `person` or `organization`. */
  kind: nullableText,
  actions,
});

/** `GET authenticate`. */
export const account = z.object({ user: z.object({ username: z.string() }) });

/** `POST authenticate`. */
export const token = z.object({
  token: z.string(),
  token_hash: textField,
  description: textField,
  created_at: textField,
});

/** A 406: a code of the second factor is needed, or the one that was sent is not right. */
export const twoFactorNeeded = z.object({
  two_factor: z.object({
    default_delivery_method: textField,
    delivery_methods: listOf(z.string()),
  }),
});

/** `POST two-factor/request-code`. */
export const codeSent = z.object({ two_factor: z.object({ obfuscated_destination: textField }) });

/** `GET …/upload` and `GET …/upload/direct`. */
export const preparedUpload = z.object({ upload_path: z.string(), callback: z.optional(z.string()) });
