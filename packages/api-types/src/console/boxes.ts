/** Boxes of the box registry, their versions and providers. Field names are the registry's own; `revision` is the console's. */
import * as z from 'zod/mini';
import { architectureName, boxName, providerName, versionNumber } from './box-names.ts';
import { architectureOf } from './box-values.ts';
import { asText, policyOf } from './field-kinds.ts';
import { isOpenAddress, openAddressMessage } from './registries.ts';

export const shortDescriptionLimit = 512;
export const descriptionLimit = 65_536;

const shortDescription = z
  .string()
  .check(
    z.maxLength(
      shortDescriptionLimit,
      `A short description must be ${shortDescriptionLimit} characters or fewer.`,
    ),
  );
/** Markdown as it was written: whoever shows it renders it and makes it safe. */
const description = asText(
  z
    .string()
    .check(z.maxLength(descriptionLimit, `A description must be ${descriptionLimit} characters or fewer.`)),
);

export const checksumTypes = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;
export type ChecksumType = (typeof checksumTypes)[number];
/** Hexadecimal digits of a checksum. */
export const checksumDigits: Readonly<Record<ChecksumType, number>> = {
  md5: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
};

/** Fields of a checksum: both or none; '' and null mean that there is none. */
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

/** What is wrong with a checksum, for a person; undefined when nothing is. */
export function checksumProblem(checksum: string, type: ChecksumType | null): string | undefined {
  if (checksum === '') return undefined;
  if (type === null) return 'Choose the checksum type.';
  const digits = checksumDigits[type];
  return checksum.length === digits ? undefined : `A ${type} checksum has ${digits} hexadecimal digits.`;
}

/** Checks that a checksum has the length of its kind. */
export const checksumAgrees = z.superRefine<{
  readonly checksum: string;
  readonly checksum_type: ChecksumType | null;
}>((value, context) => {
  const message = checksumProblem(value.checksum, value.checksum_type);
  if (message !== undefined) context.addIssue({ code: 'custom', message, path: ['checksum'] });
});

/** Where an image is that the registry does not hold itself. */
export const imageUrl = z
  .string()
  .check(
    z.trim(),
    z.maxLength(4096, 'An address must be 4,096 characters or fewer.'),
    z.refine(isOpenAddress, openAddressMessage),
  );

/** What the caller may do with what belongs to an owner; null where the registry does not tell. */
export const ownerMay = z.nullable(
  z.object({
    /** Create, change, release and delete boxes. */
    publish: z.boolean(),
    /** Manage the organization and its members. */
    manage: z.boolean(),
  }),
);
export type OwnerMay = z.output<typeof ownerMay>;

/** `revoked` is final. A registry may have others than this console knows. */
export const versionStates = ['unreleased', 'active', 'revoked'] as const;

export const provider = z.object({
  name: z.string(),
  /** A hash of what can be edited. */
  revision: z.string(),
  /** Where the image is; empty where the registry itself holds it, or is going to. */
  url: z.string(),
  /** Whether the registry itself holds the image, or is going to. */
  hosted: z.boolean(),
  /** Whether there is an image to download: false of a hosted one before the upload; null where it is not told. */
  available: z.nullable(z.boolean()),
  /** Bytes of the image; null where it is not told. */
  size: z.nullable(z.int()),
  /** Empty where there is none. */
  checksum: z.string(),
  checksum_type: z.nullable(z.enum(checksumTypes)),
  /** For example `amd64`, or `unknown` where it was made without one; null where the registry does not tell. */
  architecture: z.nullable(z.string()),
  /** Whether it is the architecture of its name that clients of version 1 see; null where the registry does not tell. */
  is_default: z.nullable(z.boolean()),
  /** Where clients fetch the image; empty where it is not told. */
  download_url: z.string(),
  /** How often the image was fetched; null where it is not told. */
  downloads: z.nullable(z.int()),
  created_time: z.string(),
  updated_time: z.string(),
});
export type Provider = z.output<typeof provider>;

export const boxVersion = z.object({
  version: z.string(),
  /** A hash of the number, the description and the state. */
  revision: z.string(),
  /** A hash of its providers too, for all that a deletion takes with it. */
  whole_revision: z.string(),
  /** One of `versionStates`. */
  status: z.string(),
  /** Markdown. */
  description: z.string(),
  created_time: z.string(),
  updated_time: z.string(),
  /** By name, the default architecture of each name first. */
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
  /** The newest released version; null before the first. */
  current_version: z.nullable(
    z.object({
      version: z.string(),
      created_time: z.string(),
      providers: z.array(z.object({ name: z.string(), architecture: z.nullable(z.string()) })),
    }),
  ),
});
export type BoxSummary = z.output<typeof boxSummary>;

export const box = z.object({
  tag: z.string(),
  username: z.string(),
  name: z.string(),
  /** A hash of what can be edited. */
  revision: z.string(),
  /** A hash of its versions and their providers too, for all that a deletion takes with it. */
  whole_revision: z.string(),
  short_description: z.string(),
  /** Markdown. */
  description: z.string(),
  is_private: z.boolean(),
  downloads: z.int(),
  created_time: z.string(),
  updated_time: z.string(),
  /** The number of the newest released version; null before the first. */
  current_version: z.nullable(z.string()),
  /** Newest first, in the order of RubyGems: `versions/compare` of clients agrees with it. */
  versions: z.array(boxVersion),
  may: ownerMay,
  /** Whether the registry keeps several architectures of one provider. */
  knows_architectures: z.boolean(),
  /** What `vagrant` is told to use as its server, where that is not its own default; for the commands that use the box. */
  server_url: z.nullable(z.string()),
});
export type Box = z.output<typeof box>;

/** A person or an organization, and the boxes of theirs that the caller may see. */
export const owner = z.object({
  username: z.string(),
  /** Null where the registry does not tell. */
  kind: z.nullable(z.enum(['person', 'organization'])),
  /** Markdown. */
  profile: z.string(),
  boxes: z.array(boxSummary),
  may: ownerMay,
});
export type Owner = z.output<typeof owner>;

// Editing

/** The fields of a box that a person edits, all present. */
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
  /** One architecture of each name is the default: making it another one takes it from the one before. */
  is_default: z.boolean(),
  /** '' for an image that is uploaded to the registry. */
  url: z.union([z.literal(''), imageUrl]),
  ...checksumFields,
};
export const providerFields = z.strictObject(providerFieldShape).check(checksumAgrees);
export type ProviderFields = z.output<typeof providerFields>;

/** A checksum means nothing without its kind: they conflict as one. */
export const providerPolicy = policyOf(providerFields, {
  groups: [{ name: 'checksum', fields: ['checksum', 'checksum_type'] }],
});

/** The editable fields of a stored provider. */
export function fieldsOfProvider(stored: Provider): ProviderFields {
  const { name, is_default, url, checksum, checksum_type } = stored;
  const architecture = architectureOf(stored);
  return { name, architecture, is_default: is_default ?? true, url, checksum, checksum_type };
}

// Changes of one, the changed fields alone

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

/** A checksum is changed with its kind. */
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
