import { trimSlashes } from '@gatehouse/service-kit/trim-slashes';
import type { CredentialType } from '../credential/credential.ts';
import type { FieldFaults } from '../refusal.ts';
import type { Resource } from '../resource.ts';

/** The types that a library can map an answer to; empty for an answer as it is. */
export type LibraryCredentialType = '' | Exclude<CredentialType, 'json'>;

/** The attributes of each credential type, and the field that overrides where to find each. */
export const mappings: Readonly<Record<LibraryCredentialType, Readonly<Record<string, MappedAttribute>>>> = {
  '': {},
  username_password: { username_attribute: 'username', password_attribute: 'password' },
  username_password_domain: {
    username_attribute: 'username',
    password_attribute: 'password',
    domain_attribute: 'domain',
  },
  password: { password_attribute: 'password' },
  ssh_private_key: {
    username_attribute: 'username',
    private_key_attribute: 'private_key',
    private_key_passphrase_attribute: 'private_key_passphrase',
  },
};

export type MappedAttribute = 'username' | 'password' | 'domain' | 'private_key' | 'private_key_passphrase';

/** Reads credentials from a path of a secrets server. */
export interface CredentialLibrary extends Resource {
  /** `clvlt_…`. */
  readonly id: string;
  readonly storeId: string;
  /** The store's project. */
  readonly projectId: string;
  /** The path below `/v1/`, without a slash at either end, such as `secret/data/databases/orders`. */
  readonly path: string;
  readonly httpMethod: 'GET' | 'POST';
  /** JSON; empty for no body. */
  readonly httpRequestBody: string;
  readonly credentialType: LibraryCredentialType;
  /** Where an answer has the attributes, by the fields of `mappings`; by default under their own names. */
  readonly mappingOverrides: Readonly<Record<string, string>>;
}

export const libraryPrefix = 'clvlt';

/** The only type of libraries in this service, and its name in older clients. */
export const libraryType = 'vault-generic';
export const formerLibraryType = 'vault';

/** Most characters of a path and of a body. */
const maxPath = 1024;
const maxBody = 16 * 1024;

/** Fields to set. A missing field keeps its value; null clears it. A null or empty override is removed. */
export interface LibraryChange {
  readonly path?: string | null;
  readonly httpMethod?: string | null;
  readonly httpRequestBody?: string | null;
  readonly mappingOverrides?: Readonly<Record<string, string | null>> | null;
}

/** The settable fields of a library. */
export type LibraryContent = Pick<
  CredentialLibrary,
  'path' | 'httpMethod' | 'httpRequestBody' | 'mappingOverrides'
>;

export const blankLibrary: LibraryContent = {
  path: '',
  httpMethod: 'GET',
  httpRequestBody: '',
  mappingOverrides: {},
};

/** A library's content after a change. After a fault the result is meaningless. */
export function changedLibrary(
  before: LibraryContent,
  change: LibraryChange,
  faults: FieldFaults,
): LibraryContent {
  const path = change.path === undefined ? before.path : trimmedPath(change.path ?? '');
  const problem = pathFault(path);
  if (problem !== undefined) faults.add('attributes.path', problem);
  const method = change.httpMethod === undefined ? before.httpMethod : (change.httpMethod ?? 'GET');
  if (method !== 'GET' && method !== 'POST')
    faults.add('attributes.http_method', 'This must be GET or POST.');
  const httpMethod = method === 'POST' ? 'POST' : 'GET';
  const httpRequestBody =
    change.httpRequestBody === undefined ? before.httpRequestBody : (change.httpRequestBody ?? '').trim();
  const badBody = bodyFault(httpRequestBody, httpMethod);
  if (badBody !== undefined) faults.add('attributes.http_request_body', badBody);
  return { path, httpMethod, httpRequestBody, mappingOverrides: changedOverrides(before, change) };
}

/** Adds a fault for each override that the credential type doesn't have or that isn't a valid name. */
export function checkOverrides(
  type: LibraryCredentialType,
  overrides: Readonly<Record<string, string | null>>,
  faults: FieldFaults,
): void {
  const known = mappings[type];
  for (const [name, value] of Object.entries(overrides)) {
    const field = `credential_mapping_overrides.${name}`;
    if (!Object.hasOwn(known, name)) {
      faults.add(
        'credential_mapping_overrides',
        type === ''
          ? "A library without a credential type can't map attributes."
          : `${JSON.stringify(name.slice(0, 60))} isn't an attribute of this credential type, which has ${Object.keys(known).join(', ')}.`,
      );
    } else if ((value ?? '').length > 256) faults.add(field, 'Must be at most 256 characters.');
  }
}

function changedOverrides(
  { mappingOverrides: before }: LibraryContent,
  { mappingOverrides: change }: LibraryChange,
): Readonly<Record<string, string>> {
  if (change === undefined) return before;
  const after: Record<string, string> = change === null ? {} : { ...before };
  for (const [name, value] of Object.entries(change ?? {})) {
    if ((value ?? '').trim() === '') delete after[name];
    else after[name] = (value ?? '').trim();
  }
  return after;
}

function trimmedPath(path: string): string {
  return trimSlashes(path.trim());
}

/**
 * Whether a path looks up, renews or revokes a token, in any namespace. A library can't read such paths: users who
 * open sessions get its answers, and must not get the store's own token.
 */
export function isAboutToken(path: string): boolean {
  return /(?:^|\/)auth\/token\/(?:lookup|renew|revoke)(?:-self|-accessor|-orphan)?(?:\/|$)/.test(path);
}

/** The length from which a token isn't part of another text by coincidence. */
const tellingLength = 20;

/** The characters of a token that are searched for. Searching for thousands takes seconds if they repeat a letter. */
const mostSearched = 64;

/** Whether a server's answer contains a token or the end of a long one, as a value or a name or within one. */
export function holdsToken(answer: unknown, token: string): boolean {
  if (typeof answer === 'string')
    return answer === token || (token.length >= tellingLength && answer.includes(token.slice(-mostSearched)));
  if (Array.isArray(answer)) return answer.some((one) => holdsToken(one, token));
  if (typeof answer !== 'object' || answer === null) return false;
  return Object.entries(answer).some(([name, value]) => holdsToken(name, token) || holdsToken(value, token));
}

function pathFault(path: string): string | undefined {
  if (path === '') return 'This is a required field.';
  if (path.length > maxPath) return `Must be at most ${maxPath} characters.`;
  if (path.startsWith('v1/')) return 'Leave out v1/ and begin with the mount, such as secret/data/…';
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/u.test(path))
    return 'A path can have only printable characters, and no backslash.';
  if (isAboutToken(path))
    return "This path manages the store's own token, which can't be used as a credential.";
  if (path.split('/').some((segment) => segment === '' || segment === '.' || segment === '..'))
    return 'A path can\'t have empty segments, "." or "..".';
  return undefined;
}

function bodyFault(body: string, method: 'GET' | 'POST'): string | undefined {
  if (body === '') return undefined;
  if (method === 'GET') return 'Only POST can have a body.';
  if (body.length > maxBody) return `Must be at most ${maxBody} characters.`;
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return undefined;
  } catch {
    // Invalid JSON gets the fault below.
  }
  return 'This must be a JSON object.';
}
