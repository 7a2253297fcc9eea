/**
 * Answers of a module registry: the module registry protocol, its extended operations, and those of the embedded
 * registry. Fields that a registry may omit have defaults; fields that only the embedded registry has are optional.
 */
import * as z from 'zod/mini';
import {
  flagField,
  listOf,
  longList,
  longListOf,
  headText,
  textField,
  versionNumber,
  withDefault,
} from './fields.ts';

const countField = withDefault(z.int(), 0);

/** `GET /.well-known/terraform.json`: a URL, or a path on the same host. */
export const discovery = z.object({ 'modules.v1': headText });

/** Why a version should not be used; only the embedded registry has all fields, others a reason and a link. */
export const deprecation = z.object({
  state: z.nullish(z.enum(['deprecated', 'revoked'])),
  message: textField,
  replacement: textField,
  date: textField,
  reason: textField,
  link: textField,
});
export type WireDeprecation = z.output<typeof deprecation>;

const summaryFields = {
  /** `namespace/name/provider/version`. */
  id: z.string(),
  owner: textField,
  namespace: z.string(),
  name: z.string(),
  version: z.string(),
  provider: z.string(),
  description: textField,
  source: textField,
  published_at: textField,
  downloads: countField,
  verified: flagField,
  deprecation: z.nullish(deprecation),
};

export const moduleSummary = z.object(summaryFields);
export type WireModuleSummary = z.output<typeof moduleSummary>;

export const pageMeta = z.object({
  limit: z.number(),
  current_offset: z.number(),
  next_offset: z.nullish(z.number()),
  prev_offset: z.nullish(z.number()),
  next_url: z.nullish(z.string()),
  prev_url: z.nullish(z.string()),
});

/** Lists and searches. */
export const modulePage = z.object({ meta: pageMeta, modules: z.pipe(longList, z.array(moduleSummary)) });

export const input = z.object({
  name: z.string(),
  /** As written; empty if the module doesn't set one. */
  type: textField,
  description: textField,
  /** An expression; empty for a required input. */
  default: textField,
  required: flagField,
  sensitive: flagField,
  // The following fields, here and below, are only from the embedded registry.
  ephemeral: flagField,
  nullable: z._default(z.boolean(), true),
  deprecated: textField,
  validations: listOf(z.object({ condition: textField, message: textField })),
});

export const output = z.object({
  name: z.string(),
  description: textField,
  sensitive: flagField,
  ephemeral: flagField,
  deprecated: textField,
});

export const dependency = z.object({ name: z.string(), source: textField, version: textField });

export const providerDependency = z.object({
  name: z.string(),
  namespace: textField,
  source: textField,
  version: textField,
  aliases: listOf(z.string()),
});

export const resource = z.object({ name: z.string(), type: z.string() });

/** The module itself, a submodule or an example. */
export const moduleFolder = z.object({
  path: textField,
  name: textField,
  readme: textField,
  empty: flagField,
  required_version: textField,
  inputs: listOf(input),
  outputs: listOf(output),
  dependencies: listOf(dependency),
  provider_dependencies: listOf(providerDependency),
  resources: listOf(resource),
});

export const moduleDetail = z.object({
  ...summaryFields,
  root: z.nullish(moduleFolder),
  submodules: listOf(moduleFolder),
  examples: listOf(moduleFolder),
  providers: listOf(z.string()),
  versions: listOf(z.string()),
  /** Of the repository for this version; from the public registry. */
  tag: textField,
  archive: z.optional(z.object({ size: z.int(), sha256: z.string() })),
  /** Whether all configuration in the archive could be read; otherwise includes the parser's messages. */
  reading: z.optional(
    z.object({
      state: z.enum(['read', 'unreadable']),
      problems: z.array(z.object({ path: z.string(), message: z.string() })),
    }),
  ),
});
export type WireModuleDetail = z.output<typeof moduleDetail>;

const needs = { providers: listOf(providerDependency), dependencies: listOf(dependency) };

export const versionChoice = z.object({
  version: versionNumber,
  published_at: textField,
  root: z.nullish(z.object(needs)),
  submodules: listOf(z.object({ path: textField, ...needs })),
  deprecation: z.nullish(deprecation),
});

/** `…/versions`: the first module is the requested one. */
export const versionChoices = z.object({
  modules: z.array(z.object({ source: textField, versions: longListOf(versionChoice) })),
});
export type WireVersionChoices = z.output<typeof versionChoices>;

/** `/v2/…/downloads/summary`. */
export const downloadSummary = z.object({
  data: z.object({
    type: textField,
    id: textField,
    attributes: z.object({ week: z.int(), month: z.int(), year: z.int(), total: z.int() }),
  }),
});

/** `/v2/…/downloads/daily`, only from the embedded registry. */
export const dailyDownloads = z.object({
  /** The first day that the answer covers. */
  meta: z.optional(z.object({ since: z.string() })),
  data: z.array(z.object({ date: z.string(), version: z.string(), count: z.int() })),
});

/** `…/consumers`, only from the embedded registry: which token downloaded which version. */
export const consumers = z.object({
  consumers: z.array(
    z.object({
      token_id: z.string(),
      token: z.string(),
      owner: z.string(),
      version: z.string(),
      downloads: z.int(),
      last_fetched_at: z.string(),
      /** Number of newer releases that are not revoked. */
      behind: z.int(),
    }),
  ),
});

const tokenFields = {
  id: z.string(),
  description: z.string(),
  created_at: z.string(),
  last_used_at: z.string(),
};

/** `POST /v1/tokens`, only from the embedded registry. */
export const issuedToken = z.object({ ...tokenFields, token: z.string() });
export type WireIssuedToken = z.output<typeof issuedToken>;

/** `GET /v1/tokens`. */
export const tokens = z.object({ tokens: z.array(z.object({ ...tokenFields, current: z.boolean() })) });

/** `GET /v1/tokens/self`. */
export const ownToken = z.object({
  ...tokenFields,
  username: z.string(),
  /** Only from the embedded registry: the account's ID and its creation time. */
  account_id: z.optional(z.string()),
  role: z.enum(['administrator', 'operator', 'read-only']),
});
export type WireOwnToken = z.output<typeof ownToken>;

/** A download answered with a body that has the archive's address. */
export const location = z.object({ location: headText });

/** The body of every error. */
export const errors = z.object({ errors: z.array(z.string()) });
