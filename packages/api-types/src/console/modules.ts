/**
 * Modules of the module registry, their versions, and the contents of their archives. Field names are the registry's if
 * it has them; `revision` is the console's.
 */
import * as z from 'zod/mini';
import { atMost } from './at-most.ts';
import { asSecret, asText } from './field-kinds.ts';
import { line } from './line.ts';
import { semanticVersion } from './module-values.ts';
import { isOpenAddress, openAddressMessage } from './registries.ts';

/** Most bytes of an archive published from the page, which sends it in a JSON body. */
export const archiveLimitBytes = 10 * 1024 * 1024;

// Contents of an archive

export const moduleInput = z.object({
  name: z.string(),
  /** As written; empty if the module doesn't set one. */
  type: z.string(),
  description: z.string(),
  /** An expression as written; empty for a required input. */
  default: z.string(),
  required: z.boolean(),
  sensitive: z.boolean(),
  ephemeral: z.boolean(),
  /** Whether the value can be null. */
  nullable: z.boolean(),
  /** The author's advice to current users; empty if it isn't deprecated. */
  deprecated: z.string(),
  /** Conditions that values must meet, as written, and the error messages. */
  validations: z.array(z.object({ condition: z.string(), message: z.string() })),
});
export type ModuleInput = z.output<typeof moduleInput>;

export const moduleOutput = z.object({
  name: z.string(),
  description: z.string(),
  sensitive: z.boolean(),
  ephemeral: z.boolean(),
  /** As of an input. */
  deprecated: z.string(),
});
export type ModuleOutput = z.output<typeof moduleOutput>;

/** A called module; `version` is a constraint, empty for any. */
export const moduleDependency = z.object({ name: z.string(), source: z.string(), version: z.string() });

/** A required provider; `version` is a constraint, empty for any. */
export const providerDependency = z.object({
  name: z.string(),
  namespace: z.string(),
  source: z.string(),
  version: z.string(),
  /** Configurations that callers must pass to the module: `aws.dns`. */
  aliases: z.array(z.string()),
});
export type ProviderDependency = z.output<typeof providerDependency>;

/** The module itself, a submodule or an example. */
export const moduleFolder = z.object({
  /** Path in the archive; empty for the root. */
  path: z.string(),
  name: z.string(),
  /** Markdown. */
  readme: z.string(),
  /** Whether the folder declares nothing. */
  empty: z.boolean(),
  /** The versions of Terraform or OpenTofu that can run it, as a constraint; empty for any. */
  required_version: z.string(),
  inputs: z.array(moduleInput),
  outputs: z.array(moduleOutput),
  dependencies: z.array(moduleDependency),
  provider_dependencies: z.array(providerDependency),
  resources: z.array(z.object({ name: z.string(), type: z.string() })),
});
export type ModuleFolder = z.output<typeof moduleFolder>;

export const moduleContent = z.object({
  /** Who read the archive: the registry or the console; `nobody` if it wasn't available (see `reason`). */
  from: z.enum(['registry', 'archive', 'nobody']),
  /** A sentence about why there is no content; empty if there is. */
  reason: z.string(),
  root: z.nullable(moduleFolder),
  submodules: z.array(moduleFolder),
  examples: z.array(moduleFolder),
  /** Files that could not be read, with the parser's messages. */
  problems: z.array(z.object({ path: z.string(), message: z.string() })),
});
export type ModuleContent = z.output<typeof moduleContent>;

// Modules and versions

export const deprecationStates = ['deprecated', 'revoked'] as const;

/** Why a version should not be used. A revoked version can still be downloaded but is never the latest. */
export const deprecation = z.object({
  state: z.enum(deprecationStates),
  message: z.string(),
  /** The replacement: a version or another module; empty if none is given. */
  replacement: z.string(),
  /** A page with more information; empty if there is none. */
  link: z.string(),
  /** Empty if the registry doesn't report it. */
  time: z.string(),
});
export type Deprecation = z.output<typeof deprecation>;

/** A module in a list, described by its latest version. */
export const moduleSummary = z.object({
  namespace: z.string(),
  name: z.string(),
  provider: z.string(),
  /** The latest version. */
  version: z.string(),
  owner: z.string(),
  description: z.string(),
  source: z.string(),
  /** Empty if the registry doesn't report it, like all times here. */
  published_time: z.string(),
  downloads: z.int(),
  verified: z.boolean(),
  deprecation: z.nullable(deprecation),
});
export type ModuleSummary = z.output<typeof moduleSummary>;

/** The caller's rights; null if the registry doesn't report them. */
export const modulesMay = z.nullable(
  z.object({
    /** Publish, deprecate and revoke versions. */
    publish: z.boolean(),
    /** Delete versions, and verify modules. */
    manage: z.boolean(),
  }),
);
export type ModulesMay = z.output<typeof modulesMay>;

export const versionChoice = z.object({
  version: z.string(),
  published_time: z.string(),
  deprecation: z.nullable(deprecation),
});
export type VersionChoice = z.output<typeof versionChoice>;

export const module = z.object({
  namespace: z.string(),
  name: z.string(),
  provider: z.string(),
  /** A hash of the editable fields. */
  revision: z.string(),
  verified: z.boolean(),
  /** The fields of a list item, of the latest version. */
  owner: z.string(),
  description: z.string(),
  source: z.string(),
  /** Null if the registry doesn't report it. */
  downloads: z.nullable(z.int()),
  /** The version number; null if every version is revoked or a prerelease. */
  latest: z.nullable(z.string()),
  /** Newest first, in semantic version order. */
  versions: z.array(versionChoice),
  /** The same module for all providers, including this one. */
  providers: z.array(z.string()),
  /** The source for a `module` block, including the registry's host unless it is the public one. */
  address: z.string(),
  /** The registry's host for the credentials block; empty if the configuration doesn't name it. */
  host: z.string(),
  /**
   * The address of the registry's operations, for clients that can't discover it because discovery uses the root of the
   * host and HTTPS. Empty if they can.
   */
  services_url: z.string(),
  may: modulesMay,
});
export type Module = z.output<typeof module>;

export const moduleVersion = z.object({
  version: z.string(),
  /** A hash of the archive and the editable fields. */
  revision: z.string(),
  owner: z.string(),
  description: z.string(),
  source: z.string(),
  /** The source's revision for this version; empty if the registry doesn't report it. */
  tag: z.string(),
  published_time: z.string(),
  deprecation: z.nullable(deprecation),
  /** Null if the registry doesn't report it. */
  archive: z.nullable(z.object({ size: z.int(), sha256: z.string() })),
  content: moduleContent,
});
export type ModuleVersion = z.output<typeof moduleVersion>;

// Request bodies

const noControls = z.regex(
  /^(?:[\n\t]|\P{Cc})*$/u,
  'Remove the control characters: clients print this to terminals.',
);

export const deprecationFields = z.strictObject({
  state: z.enum(deprecationStates),
  message: asText(
    z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Enter a reason. Everyone who uses this version sees it.'),
        atMost(1000, 'A message must be 1,000 characters or fewer.'),
        noControls,
      ),
  ),
  replacement: z
    .string()
    .check(z.trim(), atMost(500, 'The replacement must be 500 characters or fewer.'), noControls),
});
export type DeprecationFields = z.output<typeof deprecationFields>;

const namePart = (what: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `A module needs a ${what}.`),
      atMost(64, `A ${what} must be 64 characters or fewer.`),
      z.regex(
        /^(?:[0-9A-Za-z](?:[0-9A-Za-z_-]*[0-9A-Za-z])?)?$/,
        `A ${what} can contain letters, digits, "-" and "_", and must begin and end with a letter or digit.`,
      ),
    );

/** The address that a new version is published to. */
export const publishPlace = z.strictObject({
  namespace: namePart('namespace').check(
    z.refine((name) => name.toLowerCase() !== 'search', 'The registry reserves the namespace "search".'),
  ),
  name: namePart('name'),
  provider: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'A module needs a provider.'),
      atMost(64, 'A provider must be 64 characters or fewer.'),
      z.regex(/^[0-9a-z]*$/, 'A provider can only contain lower-case letters and digits, for example aws.'),
    ),
  version: z.string().check(
    z.trim(),
    z.minLength(1, 'A version needs a number.'),
    atMost(100, 'A version number must be 100 characters or fewer.'),
    z.refine(
      (number) => number === '' || semanticVersion.test(number),
      'Enter a version such as 1.2.0 or 1.2.0-beta.1: three numbers, without a "v" before them.',
    ),
  ),
});
export type PublishPlace = z.output<typeof publishPlace>;

/**
 * A gzip-compressed tar archive in base64, which is checked when it is decoded, because a pattern would take ten times
 * as long. As a file, it isn't stored in the audit trail.
 */
export const sentArchive = asSecret(
  z
    .string()
    .check(
      z.minLength(1, 'The archive is empty.'),
      atMost(
        4 * Math.ceil(archiveLimitBytes / 3),
        `The archive is larger than ${archiveLimitBytes / 2 ** 20} MiB.`,
      ),
    ),
);

export const publishFields = z.strictObject({
  archive: sentArchive,
  /** The first paragraph of the README if this is empty. */
  description: line('A description', 500),
  /** The address of the source code; empty if unknown. */
  source: z.string().check(
    z.trim(),
    atMost(2000, 'An address must be 2,000 characters or fewer.'),
    z.refine((value) => value === '' || isOpenAddress(value), openAddressMessage),
  ),
});
export type PublishFields = z.output<typeof publishFields>;
