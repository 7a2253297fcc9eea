import type { ModuleFolder } from '@gatehouse/module-archive/module-content';

/** The address of a module: `namespace/name/provider`. */
export interface ModuleAddress {
  readonly namespace: string;
  readonly name: string;
  readonly provider: string;
}

/** Times here and below are in milliseconds since the epoch. */
export interface Module extends ModuleAddress {
  /** Grows with each created module. */
  readonly id: number;
  readonly verified: boolean;
  /** How often archives of its versions have been downloaded. */
  readonly downloads: number;
  readonly createdTime: number;
}

/** A publisher's warning about a version that shouldn't be used any more. */
export interface Deprecation {
  /** A revoked version must not be used, and is never the latest. */
  readonly state: 'deprecated' | 'revoked';
  readonly message: string;
  /** The replacement: a version, or another module; empty if none is named. */
  readonly replacement: string;
  readonly date: number;
}

/** An archive in the object store. */
export interface StoredArchive {
  readonly key: string;
  /** In bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** A published version, without the content of its archive. */
export interface VersionSummary {
  readonly id: number;
  readonly moduleId: number;
  readonly version: string;
  readonly description: string;
  /** The URL of its source, as the publisher named it; empty if unknown. */
  readonly source: string;
  /** The publisher's login name. */
  readonly owner: string;
  readonly archive: StoredArchive;
  readonly deprecation: Deprecation | null;
  readonly publishedTime: number;
}

/** What clients choose a version by. */
export type VersionChoice = Pick<VersionSummary, 'id' | 'version' | 'deprecation' | 'publishedTime'>;

/** The providers and modules that a module's folders need. Clients get these when they choose a version. */
export interface Needs {
  readonly root: FolderNeeds;
  readonly submodules: readonly (FolderNeeds & Pick<ModuleFolder, 'path'>)[];
}

type FolderNeeds = Pick<ModuleFolder, 'provider_dependencies' | 'dependencies'>;

/** A token that downloaded a module. */
export interface Consumer {
  readonly tokenId: string;
  /** The token's description at its last download. */
  readonly token: string;
  /** The owner's login name. */
  readonly owner: string;
  /** The last downloaded version. */
  readonly version: string;
  readonly downloads: number;
  readonly lastTime: number;
}

const maxName = 64;
const name = /^[0-9A-Za-z](?:[0-9A-Za-z_-]*[0-9A-Za-z])?$/;
const provider = /^[0-9a-z]+$/;

/** The first path segments that the registry uses itself. */
const reservedNamespaces: ReadonlySet<string> = new Set(['search']);

/** The faults of a module's address. */
export function addressFaults(address: ModuleAddress): string[] {
  const faults: string[] = [];
  if (reservedNamespaces.has(address.namespace.toLowerCase()))
    faults.push(`The namespace ${address.namespace} is reserved`);
  for (const part of ['namespace', 'name'] as const)
    if (address[part].length > maxName || !name.test(address[part]))
      faults.push(
        `The ${part} may contain 1 to ${maxName} letters, digits, "-" and "_", and must begin and end with a letter or digit`,
      );
  if (address.provider.length > maxName || !provider.test(address.provider))
    faults.push(`The provider may contain 1 to ${maxName} lower-case letters and digits`);
  return faults;
}
