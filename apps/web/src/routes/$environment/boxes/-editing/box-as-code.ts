/** Changes of boxes, versions and providers as `vagrant` commands and API requests. */
import type { NewOrganization, OrganizationFields } from '@gatehouse/api-types/console/box-organizations';
import type {
  BoxChanges,
  BoxFields,
  ProviderChanges,
  ProviderFields,
  VersionChanges,
  VersionFields,
} from '@gatehouse/api-types/console/boxes';
import {
  changesNote,
  codeSetUp,
  curlCommand,
  shellCommand,
  shellWord,
  type CodeForms,
  type NewCode,
} from '#components/form/as-code.ts';
import type { BoxPlace, ProviderPlace, VersionPlace } from '#queries/boxes.ts';

const variables = { addressVariable: 'VAGRANT_SERVER_URL', tokenVariable: 'VAGRANT_CLOUD_TOKEN' } as const;

type Names<Place> = Omit<Place, 'environment'>;
type Values = Readonly<Record<string, string | boolean | null | undefined>>;

const segment = encodeURIComponent;
type ApiVersion = 'v1' | 'v2';
const boxPath = ({ username, name }: Names<BoxPlace>, api: ApiVersion = 'v1'): string =>
  `/api/${api}/box/${segment(username)}/${segment(name)}`;
const versionPath = (place: Names<VersionPlace>, api?: ApiVersion): string =>
  `${boxPath(place, api)}/version/${segment(place.version)}`;

/** The name, or an example while it is empty. */
function wordOr(text: string, example: string): string {
  return shellWord(text === '' ? example : text);
}

/** The request, without undefined values. */
function request(method: string, path: string, group: string, values: Values): string {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return curlCommand({ ...variables, method, path, body: { [group]: given } });
}

function flag(name: string, value: string | null | undefined): string[] {
  return value === undefined || value === null ? [] : [`--${name} ${shellWord(value)}`];
}

function boxFlags({ short_description: short, description, is_private: isPrivate }: BoxChanges): string[] {
  return [
    ...flag('short-description', short),
    ...flag('description', description),
    ...(isPrivate === undefined ? [] : [isPrivate ? '--private' : '--no-private']),
  ];
}

/** The command with a note that only the API can do the rest. */
function byApiAlone(what: string, cli: string): string {
  return `# ${what} only through the API.\n${cli}`;
}

export function newBoxAsCode(username: string, fields: BoxFields): CodeForms {
  const { name, short_description, description, is_private } = fields;
  const tag = `${username === '' ? 'acme' : username}/${name === '' ? 'base' : name}`;
  return {
    cli: shellCommand(`vagrant cloud box create ${shellWord(tag)}`, [
      ...boxFlags({
        ...(short_description !== '' && { short_description }),
        ...(description !== '' && { description }),
        is_private,
      }),
    ]),
    http: request('POST', '/api/v1/boxes', 'box', { username, ...fields }),
  };
}

export function boxChangesAsCode(place: Names<BoxPlace>, changes: BoxChanges): CodeForms {
  const cli = shellCommand(
    `vagrant cloud box update ${shellWord(`${place.username}/${place.name}`)}`,
    boxFlags(changes),
  );
  return {
    cli: changes.name === undefined ? cli : byApiAlone('The name can be changed', cli),
    http: request('PUT', boxPath(place), 'box', changes),
  };
}

export function newVersionAsCode(place: Names<BoxPlace>, fields: VersionFields): CodeForms {
  return {
    cli: shellCommand(
      `vagrant cloud version create ${shellWord(`${place.username}/${place.name}`)} ${wordOr(fields.version, '1.0.0')}`,
      fields.description === '' ? [] : flag('description', fields.description),
    ),
    http: request('POST', `${boxPath(place)}/versions`, 'version', fields),
  };
}

export function versionChangesAsCode(place: Names<VersionPlace>, changes: VersionChanges): CodeForms {
  const cli = shellCommand(
    `vagrant cloud version update ${shellWord(`${place.username}/${place.name}`)} ${shellWord(place.version)}`,
    flag('description', changes.description),
  );
  return {
    cli: changes.version === undefined ? cli : byApiAlone('The number can be changed', cli),
    http: request('PUT', versionPath(place), 'version', changes),
  };
}

/** @param knowsArchitectures whether the registry supports version 2 of the API */
export function newProviderAsCode(
  place: Names<VersionPlace>,
  fields: ProviderFields,
  knowsArchitectures: boolean,
): CodeForms {
  const { name: provider, architecture } = fields;
  const path = `${versionPath(place, knowsArchitectures ? 'v2' : 'v1')}/providers`;
  return {
    cli: providerCommand('create', { ...place, provider, architecture }, fields, knowsArchitectures),
    http: request('POST', path, 'provider', providerBody(fields, knowsArchitectures)),
  };
}

/** @param knowsArchitectures whether the registry supports version 2 of the API */
export function providerChangesAsCode(
  place: Names<ProviderPlace>,
  changes: ProviderChanges,
  knowsArchitectures: boolean,
): CodeForms {
  const { provider, architecture } = place;
  const cli = providerCommand('update', place, changes, knowsArchitectures);
  const names = [provider, ...(knowsArchitectures ? [architecture] : [])].map(segment).join('/');
  const path = `${versionPath(place, knowsArchitectures ? 'v2' : 'v1')}/provider/${names}`;
  return {
    cli: changes.name === undefined ? cli : byApiAlone('The name can be changed', cli),
    http: request('PUT', path, 'provider', providerBody(changes, knowsArchitectures)),
  };
}

/** The API's field names; version 1 has no architectures. */
function providerBody(
  { architecture, is_default: default_architecture, ...fields }: ProviderChanges,
  knowsArchitectures: boolean,
): Values {
  return knowsArchitectures ? { ...fields, architecture, default_architecture } : fields;
}

function providerCommand(
  verb: 'create' | 'update',
  place: Names<ProviderPlace>,
  fields: ProviderChanges,
  knowsArchitectures: boolean,
): string {
  const { username, name, version, provider } = place;
  const { url, checksum, checksum_type: type, architecture, is_default: isDefault } = fields;
  const words = [
    `${username}/${name}`,
    provider === '' ? 'virtualbox' : provider,
    version,
    // An update also needs the architecture to identify the provider.
    ...(knowsArchitectures && verb === 'update' ? [place.architecture] : []),
  ];
  return shellCommand(
    [
      `vagrant cloud provider ${verb}`,
      ...words.map(shellWord),
      ...(url === undefined || url === '' ? [] : [shellWord(url)]),
    ].join(' '),
    [
      ...(knowsArchitectures ? flag('architecture', architecture) : []),
      ...(knowsArchitectures && isDefault === true ? ['--default-architecture'] : []),
      ...(checksum === undefined || checksum === ''
        ? []
        : [...flag('checksum', checksum), ...flag('checksum-type', type)]),
    ],
  );
}

export function newOrganizationAsCode({ username, profile }: NewOrganization): CodeForms {
  return {
    http: request('POST', '/api/v1/organizations', 'organization', {
      username: username === '' ? 'acme' : username,
      profile_markdown: profile,
    }),
  };
}

export function organizationChangesAsCode(
  username: string,
  { profile }: Partial<OrganizationFields>,
): CodeForms {
  return {
    http: request('PUT', `/api/v1/organizations/${segment(username)}`, 'organization', {
      profile_markdown: profile,
    }),
  };
}

/** The note below the code of an edit. */
export function registryNote(hasChanges: boolean): string {
  return changesNote(hasChanges, codeSetUp.boxes);
}

/** Code that creates a record of the registry, with the variables to set. */
export function newInRegistry(forms: CodeForms): NewCode {
  return { forms, setUp: codeSetUp.boxes };
}
