/** Boxes of the registry, their versions and providers. Field names are the registry's; `revision` is the console's. */
import * as z from 'zod/mini';
import { atMost } from './at-most.ts';
import { architectureName, boxName, providerName, versionNumber } from './box-names.ts';
import { architectureOf } from './box-values.ts';
import { asText, policyOf } from './field-kinds.ts';
import { line } from './line.ts';
import { isOpenAddress, openAddressMessage } from './registries.ts';

export const shortDescriptionLimit = 512;
export const descriptionLimit = 65_536;

const shortDescription = line('A short description', shortDescriptionLimit);
/** Markdown as written. Render and sanitize it before display. */
const description = asText(
  z
    .string()
    .check(z.maxLength(descriptionLimit, `A description must be ${descriptionLimit} characters or fewer.`)),
);

export const checksumTypes = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;
export type ChecksumType = (typeof checksumTypes)[number];
/** Number of hexadecimal digits by checksum type. */
export const checksumDigits: Readonly<Record<ChecksumType, number>> = {
  md5: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
};

/** Checksum fields: both or neither. '' and null mean none. */
const checksumFields = {
  checksum: z
    .string()
    .check(
      z.trim(),
      z.toLowerCase(),
      z.regex(/^[0-9a-f]*$/, 'A checksum can only contain hexadecimal digits.'),
    ),
  checksum_type: z.nullable(z.enum(checksumTypes)),
};

/** A message about what is wrong with a checksum; undefined if it is valid. */
export function checksumProblem(checksum: string, type: ChecksumType | null): string | undefined {
  if (checksum === '') return undefined;
  if (type === null) return 'Choose the checksum type.';
  const digits = checksumDigits[type];
  return checksum.length === digits
    ? undefined
    : `The ${type} checksum must have ${digits} hexadecimal digits.`;
}

/** Checks a checksum's length against its type. */
export const checksumAgrees = z.superRefine<{
  readonly checksum: string;
  readonly checksum_type: ChecksumType | null;
}>((value, context) => {
  const message = checksumProblem(value.checksum, value.checksum_type);
  if (message !== undefined) context.addIssue({ code: 'custom', message, path: ['checksum'] });
});

/** The address of an image that the registry doesn't store itself. */
export const imageUrl = z
  .string()
  .check(
    z.trim(),
    atMost(4096, 'An address must be 4,096 characters or fewer.'),
    z.refine(isOpenAddress, openAddressMessage),
  );

/** The caller's rights on an owner's boxes; null if the registry doesn't report them. */
export const ownerMay = z.nullable(
  z.object({
    /** Create, change, release and delete boxes. */
    publish: z.boolean(),
    /** Manage the organization and its members. */
    manage: z.boolean(),
  }),
);
export type OwnerMay = z.output<typeof ownerMay>;

/** `revoked` is final. A registry may have states that this console doesn't know. */
export const versionStates = ['unreleased', 'active', 'revoked'] as const;

export const provider = z.object({
  name: z.string(),
  /** A hash of the editable fields. */
  revision: z.string(),
  /** The image's address; empty if the registry stores it, or will after an upload. */
  url: z.string(),
  /** Whether the registry stores the image, or will after an upload. */
  hosted: z.boolean(),
  /** Whether an image can be downloaded; false for a hosted one before its upload, null if not reported. */
  available: z.nullable(z.boolean()),
  /** Size of the image in bytes; null if not reported. */
  size: z.nullable(z.int()),
  /** Empty if there is none. */
  checksum: z.string(),
  checksum_type: z.nullable(z.enum(checksumTypes)),
  /** For example `amd64`; `unknown` if created without one, null if the registry doesn't report it. */
  architecture: z.nullable(z.string()),
  /** Whether clients of API version 1 see this architecture of the name; null if the registry doesn't report it. */
  is_default: z.nullable(z.boolean()),
  /** Where clients download the image; empty if not reported. */
  download_url: z.string(),
  /** Number of downloads; null if not reported. */
  downloads: z.nullable(z.int()),
  created_time: z.string(),
  updated_time: z.string(),
});
export type Provider = z.output<typeof provider>;

export const boxVersion = z.object({
  version: z.string(),
  /** A hash of the number, description and state. */
  revision: z.string(),
  /** A hash that also covers the providers, which a deletion includes. */
  whole_revision: z.string(),
  /** One of `versionStates`. */
  status: z.string(),
  /** Markdown. */
  description: z.string(),
  created_time: z.string(),
  updated_time: z.string(),
  /** By name; the default architecture of each name first. */
  providers: z.array(provider),
});
export type BoxVersion = z.output<typeof boxVersion>;

/** A box without its versions, as lists show it. */
export const boxSummary = z.object({
  /** `username/name`. */
  tag: z.string(),
  username: z.string(),
  name: z.string(),
  short_description: z.string(),
  is_private: z.boolean(),
  downloads: z.int(),
  created_time: z.string(),
  updated_time: z.string(),
  /** The newest released version; null if there is none. */
  current_version: z.nullable(
    z.object({
      version: z.string(),
      created_time: z.string(),
      providers: z.array(z.pick(provider, { name: true, architecture: true, available: true })),
      /** Whether these are all of the version's providers. */
      has_all_providers: z.boolean(),
    }),
  ),
});
export type BoxSummary = z.output<typeof boxSummary>;

export const box = z.object({
  tag: z.string(),
  username: z.string(),
  name: z.string(),
  /** A hash of the editable fields. */
  revision: z.string(),
  /** A hash that also covers the versions and their providers, which a deletion includes. */
  whole_revision: z.string(),
  short_description: z.string(),
  /** Markdown. */
  description: z.string(),
  is_private: z.boolean(),
  downloads: z.int(),
  created_time: z.string(),
  updated_time: z.string(),
  /** The number of the newest released version; null if there is none. */
  current_version: z.nullable(z.string()),
  /** Newest first, in RubyGems' order, which clients' `versions/compare` also uses. */
  versions: z.array(boxVersion),
  may: ownerMay,
  /** Whether the registry supports several architectures per provider. */
  knows_architectures: z.boolean(),
  /** The server address that `vagrant` needs for commands with this box, if it isn't vagrant's default. */
  server_url: z.nullable(z.string()),
});
export type Box = z.output<typeof box>;

/** A user or an organization, with those of its boxes that the caller can see. */
export const owner = z.object({
  username: z.string(),
  /** Null if the registry doesn't report it. */
  kind: z.nullable(z.enum(['person', 'organization'])),
  /** Markdown. */
  profile: z.string(),
  boxes: z.array(boxSummary),
  may: ownerMay,
});
export type Owner = z.output<typeof owner>;

// Editing

/** The fields of a box that a user edits, all present. */
export const boxFields = z.strictObject({
  name: boxName,
  short_description: shortDescription,
  description,
  is_private: z.boolean(),
});
export type BoxFields = z.output<typeof boxFields>;

export const boxPolicy = policyOf(boxFields);

/** The editable fields of a stored box. */
export function fieldsOfBox({ name, short_description, description, is_private }: Box): BoxFields {
  return { name, short_description, description, is_private };
}

export const versionFields = z.strictObject({ version: versionNumber, description });
export type VersionFields = z.output<typeof versionFields>;

export const versionPolicy = policyOf(versionFields);

/** The editable fields of a stored version. */
export function fieldsOfVersion({ version, description }: BoxVersion): VersionFields {
  return { version, description };
}

const providerFieldShape = {
  name: providerName,
  architecture: architectureName,
  /** One architecture of each name is the default; setting it on one removes it from the previous one. */
  is_default: z.boolean(),
  /** '' for an image uploaded to the registry. */
  url: z.union([z.literal(''), imageUrl]),
  ...checksumFields,
};
export const providerFields = z.strictObject(providerFieldShape).check(checksumAgrees);
export type ProviderFields = z.output<typeof providerFields>;

/** A checksum is meaningless without its type, so they conflict together. */
export const providerPolicy = policyOf(providerFields, {
  groups: [{ name: 'checksum', fields: ['checksum', 'checksum_type'] }],
});

/** The editable fields of a stored provider. */
export function fieldsOfProvider(stored: Provider): ProviderFields {
  const { name, is_default, url, checksum, checksum_type } = stored;
  const architecture = architectureOf(stored);
  return { name, architecture, is_default: is_default ?? true, url, checksum, checksum_type };
}

// Changes of one record, only the changed fields

export const boxChanges = z.strictObject({
  name: z.optional(boxName),
  short_description: z.optional(shortDescription),
  description: z.optional(description),
  is_private: z.optional(z.boolean()),
});
export type BoxChanges = z.input<typeof boxChanges>;

export const versionChanges = z.strictObject({
  version: z.optional(versionNumber),
  description: z.optional(description),
});
export type VersionChanges = z.input<typeof versionChanges>;

/** A checksum is always changed together with its type. */
export const providerChanges = z.strictObject(z.partial(z.strictObject(providerFieldShape)).shape).check(
  z.refine(
    ({ checksum, checksum_type }) => (checksum === undefined) === (checksum_type === undefined),
    'Enter both a checksum and its type.',
  ),
  z.superRefine(({ checksum, checksum_type }, context) => {
    if (checksum === undefined || checksum_type === undefined) return;
    const message = checksumProblem(checksum, checksum_type);
    if (message !== undefined) context.addIssue({ code: 'custom', message, path: ['checksum'] });
  }),
);
export type ProviderChanges = z.input<typeof providerChanges>;
