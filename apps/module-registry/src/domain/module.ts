import type { ModuleFolder, Problem } from '@gatehouse/module-archive/module-content';

/** Where a module is: `namespace/name/provider`. */
export interface ModuleAddress {
  readonly namespace: string;
  readonly name: string;
  readonly provider: string;
}

/** A module. Times here and below are milliseconds since the epoch. */
export interface Module extends ModuleAddress {
  /** Grows with creation. */
  readonly id: number;
  readonly verified: boolean;
  /** How often archives of its versions were fetched. */
  readonly downloads: number;
  readonly createdTime: number;
}

/** What a publisher says of a version that should not be used any more. */
export interface Deprecation {
  /** Revoked: it must not be used, and is never the latest. */
  readonly state: 'deprecated' | 'revoked';
  readonly message: string;
  /** What to use instead: a version, or another module; empty when nothing is named. */
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

/** A published version, without what was read from its archive. */
export interface VersionSummary {
  readonly id: number;
  readonly moduleId: number;
  readonly version: string;
  readonly description: string;
  /** Where its source is, as the publisher said; empty when unknown. */
  readonly source: string;
  /** Login name of who published it. */
  readonly owner: string;
  readonly archive: StoredArchive;
  readonly deprecation: Deprecation | null;
  readonly publishedTime: number;
}

/** What was read from the archive of a version, as it is kept and answered. */
export interface Content {
  /**
   * A JSON object of `root`, `submodules` and `examples`: of a large module its text is kept and sent in a tenth of the
   * time that it takes to read and write it.
   */
  readonly folders: string;
  /** What could not be read. */
  readonly problems: readonly Problem[];
}

/** What folders of a module need beside themselves: clients that choose a version are told. */
export interface Needs {
  readonly root: FolderNeeds;
  readonly submodules: readonly (FolderNeeds & Pick<ModuleFolder, 'path'>)[];
}

type FolderNeeds = Pick<ModuleFolder, 'provider_dependencies' | 'dependencies'>;

/** A token that fetched a module. */
export interface Consumer {
  readonly tokenId: string;
  /** The token's description when it fetched last. */
  readonly token: string;
  /** Login name of its owner. */
  readonly owner: string;
  /** The version that was fetched last. */
  readonly version: string;
  readonly downloads: number;
  readonly lastTime: number;
}

const maxName = 64;
const name = /^[0-9A-Za-z](?:[0-9A-Za-z_-]*[0-9A-Za-z])?$/;
const provider = /^[0-9a-z]+$/;

/** First segments of the registry's own paths. */
const reservedNamespaces: ReadonlySet<string> = new Set(['search']);

/** What is wrong with the address of a module; empty when nothing is. */
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
