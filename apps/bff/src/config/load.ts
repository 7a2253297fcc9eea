import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import { createSecureContext } from 'node:tls';
import { environmentId, environmentKind, signInMethod } from '@gatehouse/api-types/console/service';
import { errorCode } from '@gatehouse/service-kit/error-code';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import { LineCounter, parseDocument, type Document } from 'yaml';
import * as z from 'zod/mini';
import { ConfigError } from './config-error.ts';
import type { Config, ConsoleConfig, EnvironmentConfig, ServiceConfig, UploadsConfig } from './config.ts';
import { checkExposure } from './exposure.ts';

z.config(z.locales.en());

const httpUrl = z.string().check(
  z.refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return (
      url !== undefined &&
      /^https?:$/.test(url.protocol) &&
      url.username === '' &&
      url.password === '' &&
      url.search === '' &&
      url.hash === ''
    );
  }, 'Use an http or https address without user, query or fragment.'),
);
const hostAndPort = z
  .string()
  .check(z.regex(/^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:]+\])(?::\d{1,5})?$/, 'Use a host name, or name:port.'));
const network = z.string().check(
  z.refine((text) => {
    const [address = '', bits, more] = text.split('/');
    const version = isIP(address);
    if (version === 0 || more !== undefined) return false;
    return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32));
  }, 'Use an IP address or a network such as 10.0.0.0/8.'),
);
const path = z.string().check(z.minLength(1, 'Use the path of a file.'));

const place = {
  url: z.optional(httpUrl),
  socket: z.optional(path),
  ca: z.optional(path),
  sign_in: z._default(z.array(signInMethod).check(z.minLength(1, 'Configure at least one sign-in method.')), [
    'password',
    'token',
  ]),
};
const onePlace = z.refine<{ readonly url?: string | undefined; readonly socket?: string | undefined }>(
  (service) => (service.url === undefined) !== (service.socket === undefined),
  'Use either url or socket.',
);

const accessService = z
  .strictObject({
    ...place,
    auth_method_id: z.optional(
      z
        .string()
        .check(
          z.regex(
            /^am(?:pw|oidc|ldap)_[0-9A-Za-z]{10,}$/,
            'Use the ID of an auth method, such as ampw_1234567890.',
          ),
        ),
    ),
  })
  .check(onePlace);

/** Names that servers understand otherwise than as they are, so one namespace would have several paths. */
const notInNamespaces: ReadonlySet<string> = new Set(['.', '..', 'root']);
const namespace = z.string().check(
  z.refine(
    (text) =>
      text
        .replace(/\/$/, '')
        .split('/')
        .every((name) => /^[\x21-\x7e]+$/.test(name) && !notInNamespaces.has(name)),
    'Use a path such as team/app, and none for the root namespace.',
  ),
);

const secretsService = z
  .strictObject({
    ...place,
    namespace: z.optional(namespace),
    client_url: z.optional(httpUrl),
    password_mount: z.optional(
      z
        .string()
        .check(
          z.regex(/^[\w.-]+(?:\/[\w.-]+)*$/, 'Use the mount of an auth method, such as userpass or ldap.'),
        ),
    ),
  })
  .check(onePlace);

const origin = httpUrl.check(
  z.refine(
    (text) => URL.canParse(text) && new URL(text).pathname === '/',
    'Use an origin such as https://store.example.',
  ),
);

const boxesService = z
  .strictObject({
    ...place,
    client_url: z.optional(httpUrl),
    upload_origins: z.optional(z.array(origin)),
    upload: z.optional(z.enum(['plain', 'direct'])),
  })
  .check(onePlace);

const modulesService = z
  .strictObject({
    ...place,
    client_url: z.optional(httpUrl),
    archive_origins: z.optional(z.array(origin)),
  })
  .check(onePlace);

const bytes = z.int('Use a number of bytes.').check(z.gte(0, 'Use a number of bytes.'));

const file = z.strictObject({
  console: z.optional(
    z.strictObject({
      host: z.optional(z.string().check(z.minLength(1))),
      port: z.optional(z.int().check(z.gte(0), z.lte(65_535))),
      public_url: z.optional(httpUrl),
      allowed_hosts: z.optional(z.array(hostAndPort)),
      tls: z.optional(z.strictObject({ cert: path, key: path })),
      trusted_proxies: z.optional(z.array(network)),
    }),
  ),
  keys: z.optional(z.strictObject({ file: path })),
  uploads: z.optional(
    z.strictObject({
      folder: z.optional(path),
      quota_bytes: z.optional(bytes),
      person_quota_bytes: z.optional(bytes),
      keep_free_bytes: z.optional(bytes),
    }),
  ),
  moves: z.optional(z.strictObject({ sources: z.array(origin), ca: z.optional(path) })),
  database: z.optional(
    z.strictObject({
      url: z.string().check(z.regex(/^postgres(?:ql)?:\/\//, 'Use an address that begins with postgres://.')),
    }),
  ),
  environments: z
    .array(
      z.strictObject({
        id: environmentId,
        name: z.string().check(z.minLength(1), z.maxLength(60)),
        kind: environmentKind,
        shared_accounts: z._default(z.boolean(), false),
        services: z
          .strictObject({
            access: z.optional(accessService),
            secrets: z.optional(secretsService),
            boxes: z.optional(boxesService),
            modules: z.optional(modulesService),
          })
          .check(
            z.refine(
              (services) => Object.values(services).some((service) => service !== undefined),
              'Configure at least one service.',
            ),
          ),
      }),
    )
    .check(
      z.minLength(1, 'Configure at least one environment.'),
      z.refine(
        (all) => new Set(all.map(({ id }) => id)).size === all.length,
        'Two environments have the same ID.',
      ),
    ),
});
type ConfigFile = z.output<typeof file>;

/** Environment variables that override the file. */
export interface ConfigOverrides {
  /** GATEHOUSE_HOST and GATEHOUSE_PORT. */
  readonly host?: string;
  readonly port?: number;
  /** The text of GATEHOUSE_KEYS, a key ring that replaces the file's. */
  readonly keyRing?: string;
}

/**
 * Reads a configuration file. Paths in it are relative to its folder.
 * @throws ConfigError with file, line and path of the error, in one line
 */
export function loadConfig(filename: string, overrides: ConfigOverrides = {}): Config {
  let text: string;
  try {
    text = readFileSync(filename, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `The configuration file can't be read: ${filename} (${errorCode(error) ?? 'unreadable'}).`,
    );
  }
  return parseConfig(text, filename, overrides);
}

/** Like `loadConfig`, from the file's text. @param filename for messages and relative paths */
export function parseConfig(text: string, filename: string, overrides: ConfigOverrides = {}): Config {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    strict: true,
    uniqueKeys: true,
  });
  const broken = document.errors[0] ?? document.warnings[0];
  if (broken !== undefined) {
    throw new ConfigError(
      `${filename}:${lines.linePos(broken.pos[0]).line}: ${broken.message.split('\n')[0]}`,
    );
  }
  const refuse: Refuse = (at, message) =>
    new ConfigError(`${filename}:${lineOf(document, at, lines)}: ${at.join('.') || 'the file'}: ${message}`);
  const result = z.safeParse(file, document.toJS({ maxAliasCount: 100 }));
  if (!result.success) {
    const issue = result.error.issues[0];
    const at =
      issue === undefined
        ? []
        : issue.code === 'unrecognized_keys'
          ? [...issue.path, issue.keys[0] ?? '']
          : issue.path;
    throw refuse(
      at,
      issue?.code === 'unrecognized_keys' ? "This setting doesn't exist." : (issue?.message ?? ''),
    );
  }
  return build(result.data, dirname(filename), overrides, refuse);
}

/** The error of a setting, with its file and line. */
type Refuse = (at: readonly PropertyKey[], message: string) => ConfigError;

/** The line of a value, or of its closest existing parent. */
function lineOf(document: Document, at: readonly PropertyKey[], lines: LineCounter): number {
  for (let depth = at.length; depth > 0; depth--) {
    const node: unknown = document.getIn(at.slice(0, depth), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
      return lines.linePos(Number(node.range[0])).line;
    }
  }
  return 1;
}

function build(data: ConfigFile, folder: string, overrides: ConfigOverrides, refuse: Refuse): Config {
  const read = (relative: string, at: readonly PropertyKey[]): string => {
    const filename = resolve(folder, relative);
    try {
      return readFileSync(filename, 'utf8');
    } catch (error) {
      throw refuse(at, `${filename} can't be read (${errorCode(error) ?? 'unreadable'}).`);
    }
  };
  const readAuthorities = (relative: string, at: readonly PropertyKey[]): string => {
    const pem = read(relative, at);
    if (!holdsCertificates(pem))
      throw refuse(at, `${resolve(folder, relative)} contains no PEM certificate.`);
    return pem;
  };
  const placeOf =
    (environment: number, name: string): PlaceOf =>
    ({ url, socket, ca, sign_in }) => ({
      endpoint:
        socket === undefined
          ? { kind: 'url', url: new URL(url ?? '') }
          : { kind: 'socket', path: resolve(folder, socket) },
      ...(ca !== undefined && {
        ca: readAuthorities(ca, ['environments', environment, 'services', name, 'ca']),
      }),
      signIn: sign_in,
    });
  const settings = data.console;
  const console: ConsoleConfig = {
    host: overrides.host ?? settings?.host ?? '127.0.0.1',
    port: overrides.port ?? settings?.port ?? 8080,
    allowedHosts: settings?.allowed_hosts ?? [],
    trustedProxies: settings?.trusted_proxies ?? [],
    ...(settings?.public_url !== undefined && { publicUrl: new URL(settings.public_url) }),
    ...(settings?.tls !== undefined && {
      tls: {
        cert: read(settings.tls.cert, ['console', 'tls', 'cert']),
        key: read(settings.tls.key, ['console', 'tls', 'key']),
      },
    }),
  };
  try {
    createSecureContext(console.tls);
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown';
    throw refuse(['console', 'tls'], `This certificate and key can't be used (${why}).`);
  }
  checkExposure(console);
  return {
    console,
    environments: data.environments.map(
      ({ id, name, kind, shared_accounts, services }, index): EnvironmentConfig => ({
        id,
        name,
        kind,
        sharedAccounts: shared_accounts,
        services: {
          ...(services.access !== undefined && {
            access: accessConfig(services.access, placeOf(index, 'access')),
          }),
          ...(services.secrets !== undefined && {
            secrets: secretsConfig(services.secrets, placeOf(index, 'secrets')),
          }),
          ...(services.boxes !== undefined && {
            boxes: boxesConfig(services.boxes, placeOf(index, 'boxes')),
          }),
          ...(services.modules !== undefined && {
            modules: modulesConfig(services.modules, placeOf(index, 'modules')),
          }),
        },
      }),
    ),
    keys: keysOf(data, folder, overrides),
    ...(data.uploads !== undefined && { uploads: uploadsConfig(data.uploads, folder) }),
    ...(data.moves !== undefined && {
      moves: {
        sources: data.moves.sources.map((text) => new URL(text).origin),
        ...(data.moves.ca !== undefined && { ca: readAuthorities(data.moves.ca, ['moves', 'ca']) }),
      },
    }),
    ...(data.database !== undefined && { databaseUrl: data.database.url }),
  };
}

type PlaceOf = (settings: {
  readonly url?: string | undefined;
  readonly socket?: string | undefined;
  readonly ca?: string | undefined;
  readonly sign_in: ServiceConfig['signIn'];
}) => ServiceConfig;

function accessConfig(service: z.output<typeof accessService>, place: PlaceOf): ServiceConfig {
  return {
    ...place(service),
    ...(service.auth_method_id !== undefined && { authMethodId: service.auth_method_id }),
  };
}

function secretsConfig(service: z.output<typeof secretsService>, place: PlaceOf): ServiceConfig {
  return {
    ...place(service),
    ...(service.client_url !== undefined && { clientUrl: new URL(service.client_url) }),
    ...(service.namespace !== undefined && { namespace: trimEndSlashes(service.namespace) }),
    ...(service.password_mount !== undefined && { passwordMount: service.password_mount }),
  };
}

function boxesConfig(service: z.output<typeof boxesService>, place: PlaceOf): ServiceConfig {
  return {
    ...place(service),
    ...(service.client_url !== undefined && { clientUrl: new URL(service.client_url) }),
    ...(service.upload_origins !== undefined && {
      uploadOrigins: service.upload_origins.map((text) => new URL(text).origin),
    }),
    ...(service.upload !== undefined && { uploadWay: service.upload }),
  };
}

function modulesConfig(service: z.output<typeof modulesService>, place: PlaceOf): ServiceConfig {
  return {
    ...place(service),
    ...(service.client_url !== undefined && { clientUrl: new URL(service.client_url) }),
    ...(service.archive_origins !== undefined && {
      archiveOrigins: service.archive_origins.map((text) => new URL(text).origin),
    }),
  };
}

function uploadsConfig(
  { folder, quota_bytes, person_quota_bytes, keep_free_bytes }: NonNullable<ConfigFile['uploads']>,
  relativeTo: string,
): UploadsConfig {
  return {
    ...(folder !== undefined && { folder: resolve(relativeTo, folder) }),
    ...(quota_bytes !== undefined && { quotaBytes: quota_bytes }),
    ...(person_quota_bytes !== undefined && { personQuotaBytes: person_quota_bytes }),
    ...(keep_free_bytes !== undefined && { keepFreeBytes: keep_free_bytes }),
  };
}

function keysOf(data: ConfigFile, folder: string, overrides: ConfigOverrides): Config['keys'] {
  if (overrides.keyRing !== undefined) return { variable: 'GATEHOUSE_KEYS', text: overrides.keyRing };
  return data.keys === undefined ? undefined : { file: resolve(folder, data.keys.file) };
}

/** Whether a text contains PEM certificates, each of them readable. Node ignores unreadable ones in `ca`. */
function holdsCertificates(pem: string): boolean {
  const texts = pem.match(/-----BEGIN ([A-Z0-9 ]*CERTIFICATE)-----[^]*?-----END \1-----/g) ?? [];
  try {
    return texts.map((text) => new X509Certificate(text)).length > 0;
  } catch {
    return false;
  }
}
