/** Looks up a binary in the catalog. */
import type { PluginSummary } from '@gatehouse/api-types/console/plugins';
import type { PluginDraft } from '#components/places/plugins.ts';

export interface HashedFile {
  /** Empty for a typed hash. */
  readonly name: string;
  /** Lower-case hex. */
  readonly sha256: string;
}

export type Verdict =
  /** Registrations with its hash. */
  | { readonly kind: 'registered'; readonly plugins: readonly PluginSummary[] }
  /** Registrations with its name, but another hash. */
  | { readonly kind: 'differs'; readonly plugins: readonly PluginSummary[] }
  | { readonly kind: 'not-registered' };

export function verdictOn({ name, sha256 }: HashedFile, items: readonly PluginSummary[]): Verdict {
  const registered = items.filter((item) => item.sha256 === sha256);
  if (registered.length > 0) return { kind: 'registered', plugins: registered };
  const command = commandOf(name).toLowerCase();
  const differs = items.filter((item) => item.sha256 !== '' && isNameOf(command, item.name.toLowerCase()));
  return differs.length > 0 ? { kind: 'differs', plugins: differs } : { kind: 'not-registered' };
}

/** Release binaries are named `vault-plugin-secrets-x` for the plugin `x`. */
function isNameOf(command: string, name: string): boolean {
  return command !== '' && (command === name || command.endsWith(`-${name}`) || name.endsWith(`-${command}`));
}

/** A binary's name without the version and platform of a release. */
export function commandOf(fileName: string): string {
  return fileName
    .replace(/\.exe$/i, '')
    .replace(/(?:[-_.](?:linux|darwin|windows|freebsd|amd64|arm64|x86_64|386|arm))+$/i, '')
    .replace(/[-_]v?\d+\.\d+\.\d+.*$/, '');
}

/** The initial values of a registration for this file. */
export function draftOf({ name, sha256 }: HashedFile): PluginDraft {
  const command = commandOf(name);
  return {
    type: typeIn(name),
    name: command === '' ? undefined : command,
    version: versionIn(name),
    sha256,
    command: name === '' ? undefined : name,
  };
}

/** The version in a release's file name: `v1.4.0`; undefined if none. */
export function versionIn(fileName: string): string | undefined {
  const found = /[-_]v?(\d+\.\d+\.\d+)(?=[-_.]|$)/.exec(fileName)?.[1];
  return found === undefined ? undefined : `v${found}`;
}

/** The type in a binary's usual name, such as `vault-plugin-secrets-aws`; undefined if none. */
export function typeIn(fileName: string): PluginSummary['type'] | undefined {
  const word = /(?:^|[-_])(auth|secrets?|database)(?=[-_]|$)/i.exec(fileName)?.[1]?.toLowerCase();
  if (word === 'auth' || word === 'database') return word;
  return word === undefined ? undefined : 'secret';
}
