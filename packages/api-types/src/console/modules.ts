/**
 * Modules of the module registry, their versions, and what was read from their archives. Field names are the registry's own
 * where it has them; `revision` is the console's.
 */
import * as z from 'zod/mini';
import { asSecret, asText } from './field-kinds.ts';
import { semanticVersion } from './module-values.ts';
import { isOpenAddress, openAddressMessage } from './registries.ts';

/** Bytes of an archive at most that a page publishes: it is sent within a JSON body. */
export const archiveLimitBytes = 10 * 1024 * 1024;

// What an archive holds

export const moduleInput = z.object({
  name: z.string(),
  /** As written; empty where the module leaves it open. */
  type: z.string(),
  description: z.string(),
  /** An expression as written; empty for a required one. */
  default: z.string(),
  required: z.boolean(),
  sensitive: z.boolean(),
  ephemeral: z.boolean(),
  /** Whether it can be null. */
  nullable: z.boolean(),
  /** What the author says to those who still use it; empty where it is not deprecated. */
  deprecated: z.string(),
  /** What values have to meet: conditions as written, and what is said where they are not met. */
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

/** Another module that is called; `version` is a constraint, empty for any. */
export const moduleDependency = z.object({ name: z.string(), source: z.string(), version: z.string() });
export type ModuleDependency = z.output<typeof moduleDependency>;

/** A provider that is needed; `version` is a constraint, empty for any. */
export const providerDependency = z.object({
  name: z.string(),
  namespace: z.string(),
  source: z.string(),
  version: z.string(),
  /** Configurations that whoever calls the module has to pass to it: `aws.dns`. */
  aliases: z.array(z.string()),
});
export type ProviderDependency = z.output<typeof providerDependency>;

/** The module itself, a submodule or an example. */
export const moduleFolder = z.object({
  /** Within the archive; empty for the root. */
  path: z.string(),
  name: z.string(),
  /** Markdown. */
  readme: z.string(),
  /** Whether it declares nothing. */
  empty: z.boolean(),
  /** Which versions of Terraform or OpenTofu can run it, a constraint; empty for any. */
  required_version: z.string(),
  inputs: z.array(moduleInput),
  outputs: z.array(moduleOutput),
  dependencies: z.array(moduleDependency),
  provider_dependencies: z.array(providerDependency),
  resources: z.array(z.object({ name: z.string(), type: z.string() })),
});
export type ModuleFolder = z.output<typeof moduleFolder>;

export const moduleContent = z.object({
  /** Who read it: the registry, or the console from the archive; `nobody` where it could not be had (see `reason`). */
  from: z.enum(['registry', 'archive', 'nobody']),
  /** Why there is none, in a sentence; empty where there is. */
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

/** Why a version should not be used. A revoked one stays downloadable and is never the latest. */
export const deprecation = z.object({
  state: z.enum(deprecationStates),
  message: z.string(),
  /** What to use instead: a version, or another module; empty where nothing is named. */
  replacement: z.string(),
  /** A page that says more; empty where there is none. */
  link: z.string(),
  /** Empty where the registry does not tell. */
  time: z.string(),
});
export type Deprecation = z.output<typeof deprecation>;

/** A module as its latest version, as lists show it. */
export const moduleSummary = z.object({
  namespace: z.string(),
  name: z.string(),
  provider: z.string(),
  /** The latest one. */
  version: z.string(),
  owner: z.string(),
  description: z.string(),
  source: z.string(),
  /** Empty where the registry does not tell, as are all times here. */
  published_time: z.string(),
  downloads: z.int(),
  verified: z.boolean(),
  deprecation: z.nullable(deprecation),
});
export type ModuleSummary = z.output<typeof moduleSummary>;

/** What the caller may do; null where the registry does not tell. */
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
  /** A hash of what can be changed. */
  revision: z.string(),
  verified: z.boolean(),
  /** As lists show them, of the latest version. */
  owner: z.string(),
  description: z.string(),
  source: z.string(),
  /** Null where the registry does not tell. */
  downloads: z.nullable(z.int()),
  /** Its number; null where every version was revoked, or is one before a release. */
  latest: z.nullable(z.string()),
  /** Newest first, in the order of semantic versions. */
  versions: z.array(versionChoice),
  /** The same module for other providers, this one among them. */
  providers: z.array(z.string()),
  /** What a `module` block names as its source: with the registry's host, unless it is the public one. */
  address: z.string(),
  /** The registry's host, for the block with credentials; empty where the configuration does not tell. */
  host: z.string(),
  /**
   * Where its operations are, for clients that can't discover it: they look at the root of its host, and over https. Empty
   * where they find it.
   */
  services_url: z.string(),
  may: modulesMay,
});
export type Module = z.output<typeof module>;

export const moduleVersion = z.object({
  version: z.string(),
  /** A hash of its archive and of what can be changed. */
  revision: z.string(),
  owner: z.string(),
  description: z.string(),
  source: z.string(),
  /** Of its source, for this version; empty where the registry does not tell. */
  tag: z.string(),
  published_time: z.string(),
  deprecation: z.nullable(deprecation),
  /** Null where the registry does not tell. */
  archive: z.nullable(z.object({ size: z.int(), sha256: z.string() })),
  content: moduleContent,
});
export type ModuleVersion = z.output<typeof moduleVersion>;

// What a person sends

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
        z.maxLength(1000, 'A message must be 1,000 characters or fewer.'),
        noControls,
      ),
  ),
  replacement: z
    .string()
    .check(z.trim(), z.maxLength(500, 'The replacement must be 500 characters or fewer.'), noControls),
});
export type DeprecationFields = z.output<typeof deprecationFields>;

const namePart = (what: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `A module needs a ${what}.`),
      z.maxLength(64, `A ${what} must be 64 characters or fewer.`),
      z.regex(
        /^(?:[0-9A-Za-z](?:[0-9A-Za-z_-]*[0-9A-Za-z])?)?$/,
        `A ${what} can contain letters, digits, "-" and "_", and must begin and end with a letter or digit.`,
      ),
    );

/** Where a new version is published to. */
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
      z.maxLength(64, 'A provider must be 64 characters or fewer.'),
      z.regex(/^[0-9a-z]*$/, 'A provider can only contain lower-case letters and digits, for example aws.'),
    ),
  version: z.string().check(
    z.trim(),
    z.minLength(1, 'A version needs a number.'),
    z.maxLength(100, 'A version number must be 100 characters or fewer.'),
    z.refine(
      (number) => number === '' || semanticVersion.test(number),
      'Enter a version such as 1.2.0 or 1.2.0-beta.1: three numbers, without a "v" before them.',
    ),
  ),
});
export type PublishPlace = z.output<typeof publishPlace>;

/** A gzip-compressed tar archive, in base64: a file, of which the audit trail keeps nothing. */
export const sentArchive = asSecret(
  z
    .string()
    .check(
      z.minLength(1, 'The archive is empty.'),
      z.maxLength(
        4 * Math.ceil(archiveLimitBytes / 3),
        `The archive is larger than ${archiveLimitBytes / 2 ** 20} MiB.`,
      ),
      z.regex(/^[0-9A-Za-z+/]*={0,2}$/, 'Send the archive in base64.'),
    ),
);

export const publishFields = z.strictObject({
  archive: sentArchive,
  /** The first paragraph of its README where it is empty. */
  description: z.string().check(z.trim(), z.maxLength(500, 'A description must be 500 characters or fewer.')),
  /** Where its source is, for people; empty where nobody says. */
  source: z.string().check(
    z.trim(),
    z.maxLength(2000, 'An address must be 2,000 characters or fewer.'),
    z.refine((value) => value === '' || isOpenAddress(value), openAddressMessage),
  ),
});
export type PublishFields = z.output<typeof publishFields>;
