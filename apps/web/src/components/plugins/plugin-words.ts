/** The words for the catalog's entries. */
import type { Plugin, PluginMount, PluginSummary } from '@gatehouse/api-types/console/plugins';
import type { Tone } from '@gatehouse/ui/tone';

/** Where a registration comes from. */
export type PluginSource = 'builtin' | 'registered' | 'configuration' | 'image';
/** What a mount runs, compared with what it would start with. */
export type MountNews = 'as-registered' | 'other-hash' | 'other-version' | 'not-told';

export const typeWords: Readonly<Record<PluginSummary['type'], string>> = {
  auth: 'Auth',
  database: 'Database',
  secret: 'Secret',
};

export const sourceWords: Readonly<Record<PluginSource, string>> = {
  builtin: 'Built-in',
  registered: 'Registered',
  configuration: 'Configuration file',
  image: 'Image',
};

/** A registration's display name: `auth/x v1.4.0`. */
export function pluginName({
  type,
  name,
  version,
}: Pick<PluginSummary, 'type' | 'name' | 'version'>): string {
  return version === '' ? `${type}/${name}` : `${type}/${name} ${version}`;
}

/** The start of a hash, enough to tell it from others. */
export function shortHash(sha256: string): string {
  return sha256.slice(0, 12);
}

interface Said {
  readonly word: string;
  readonly about: string;
  readonly tone: Tone | 'neutral';
}

/** Such as `Pending removal` for `pending-removal`. */
export function deprecationWords(status: string): string {
  const words = status.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Whether the status is anything but supported. */
export function isDeprecated(status: string): boolean {
  return status !== '' && status !== 'supported';
}

export const stateWords: Readonly<Record<Plugin['state'], Said>> = {
  runs: { word: 'Runs', about: 'The server runs this plugin where it is mounted.', tone: 'ok' },
  mismatch: {
    word: 'Hash differs',
    about:
      "The file in the plugin directory has a different SHA-256 than the registration, so the server won't run it. Replace the file, or register the plugin with its hash.",
    tone: 'danger',
  },
  missing: {
    word: 'No usable file',
    about: 'The node that responded has no file for this plugin that it could run.',
    tone: 'danger',
  },
  unsupported: {
    word: 'Not supported',
    about: 'This server stores the registration, but only runs its built-in plugins.',
    tone: 'warn',
  },
  unknown: {
    word: 'Checked at start',
    about: 'The server compares the file with the registration each time the plugin starts.',
    tone: 'neutral',
  },
};

export const newsWords: Readonly<Record<MountNews, Said>> = {
  'as-registered': { word: 'As registered', about: 'The mount runs the registered binary.', tone: 'ok' },
  'other-hash': {
    word: 'Older binary',
    about:
      'A different binary was registered after the plugin started. Reload the mount to run the registered binary.',
    tone: 'warn',
  },
  'other-version': {
    word: 'Different version',
    about:
      'The mount runs a different version from the configured one. Reload it to run the configured version.',
    tone: 'warn',
  },
  'not-told': { word: 'Unknown', about: "The server doesn't report what runs there.", tone: 'neutral' },
};

/** Such as `cloud (runs v1.2.3, set to v1.2.4)`. */
export function mountWords(
  { path, configured_version: set, running_version: runs }: PluginMount,
  version = '',
): string {
  const parts = [
    runs !== version && runs !== '' && `runs ${runs}`,
    set !== '' && set !== runs && `set to ${set}`,
  ].filter(Boolean);
  return parts.length === 0 ? path : `${path} (${parts.join(', ')})`;
}

/** Lists the registered versions with a binary other than the found ones; empty if none. */
export function othersWords(found: readonly PluginSummary[], items: readonly PluginSummary[]): string {
  const others = items.filter(
    (item) =>
      !item.builtin &&
      found.some(({ type, name }) => type === item.type && name === item.name) &&
      found.every(({ id }) => id !== item.id),
  );
  if (others.length === 0) return '';
  const names = others.map((other) =>
    found.length === 1 && other.version !== '' ? other.version : pluginName(other),
  );
  return others.length === 1
    ? `The other version, ${names.join('')}, has a different binary.`
    : `The other versions have different binaries: ${names.join(', ')}.`;
}
