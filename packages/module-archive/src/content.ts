import { isJsonObject, textOfExact } from '@gatehouse/service-kit/parse-json';
import { isConfiguration, isReadme } from './files.ts';
import type { ArchiveFiles } from './files.ts';
import type {
  Dependency,
  Input,
  ModuleContent,
  ModuleFolder,
  Output,
  Problem,
  ProviderDependency,
  Resource,
} from './module-content.ts';

/** A file's declarations: blocks by type, then by labels, as JSON. */
export type Declared = Readonly<Record<string, unknown>>;

/**
 * Most characters of JSON that an archive may declare, besides READMEs, because sending them delays other requests
 * whenever a version is read.
 */
export const mostDeclared = 2 * 2 ** 20;
export const tooMuchDeclared = `declares more than ${mostDeclared / 2 ** 20} MiB as JSON`;

/** Builds an archive's content. @param declared the declarations of every readable configuration file, by path */
export function contentOf(
  files: ArchiveFiles,
  declared: ReadonlyMap<string, Declared>,
  problems: readonly Problem[],
): ModuleContent {
  const paths = [...files.texts.keys()];
  // Grouped once, because an archive may have thousands of folders.
  const byFolder = Map.groupBy(paths, folderOf);
  const folders = new Set(paths.filter(isConfiguration).map(folderOf));
  for (const path of files.unread.keys()) if (isConfiguration(path)) folders.add(folderOf(path));
  const read = (folder: string): ModuleFolder => {
    const inside = byFolder.get(folder) ?? [];
    const readme = inside.filter(isReadme).sort((one, other) => rank(one) - rank(other))[0];
    return readFolder(
      folder,
      readme === undefined ? '' : decode(files.texts.get(readme)),
      inside
        .filter(isConfiguration)
        .sort(overridesLast)
        .map((path) => declared.get(path))
        .filter((one) => one !== undefined),
    );
  };
  const under = (name: string): ModuleFolder[] =>
    [...folders]
      .filter((folder) => folder.startsWith(`${name}/`))
      .sort()
      .map(read);
  return {
    root: read(''),
    submodules: under('modules'),
    examples: under('examples'),
    problems: [...problems, ...[...files.unread].map(([path, message]) => ({ path, message }))],
  };
}

function readFolder(path: string, readme: string, declared: readonly Declared[]): ModuleFolder {
  // A module call without a source only exists in an override; the file with the call itself could not be read.
  const dependencies = [...merged(declared, 'module')].map(([name, body]) => dependencyOf(name, body));
  // An override of a provider replaces its whole requirement.
  const providers = new Map<string, ProviderDependency>();
  for (const file of declared)
    for (const settings of blocks(file['terraform']))
      for (const required of blocks(settings['required_providers']))
        for (const [name, wanted] of Object.entries(required)) providers.set(name, providerOf(name, wanted));
  const versions = new Set(
    declared.flatMap((file) =>
      blocks(file['terraform']).map((settings) => literal(settings['required_version'])),
    ),
  );
  const found = {
    inputs: [...merged(declared, 'variable')].map(([name, body]) => inputOf(name, body)),
    outputs: [...merged(declared, 'output')].map(([name, body]) => outputOf(name, body)),
    dependencies: dependencies.filter(({ source }) => !/^(?:\.\.?(?:\/|$)|$)/.test(source)),
    provider_dependencies: [...providers.values()],
    resources: [...merged(declared, 'resource')].flatMap(([type, named]) =>
      Object.keys(named).map((name): Resource => ({ name, type })),
    ),
  };
  return {
    path,
    name: path.slice(path.lastIndexOf('/') + 1),
    readme,
    // Modules within the archive don't count as dependencies, but an example that calls one is not empty.
    empty: [...Object.values(found), dependencies].every((list) => list.length === 0),
    required_version: [...versions].filter(Boolean).join(', '),
    ...found,
  };
}

/** The blocks of a type by their first label. As in Terraform, an override replaces only the arguments that it has. */
function merged(files: readonly Declared[], type: string): ReadonlyMap<string, Declared> {
  const found = new Map<string, Record<string, unknown>>();
  for (const [name, body] of files.flatMap((file) => labeled(file[type]))) {
    // Copying for each block would take quadratic time.
    const known = found.get(name) ?? Object.create(null);
    found.set(name, Object.assign(known, body));
  }
  return found;
}

function inputOf(name: string, body: Declared): Input {
  return {
    name,
    type: literal(body['type']),
    description: literal(body['description']),
    default: Object.hasOwn(body, 'default') ? expression(body['default'], 0) : '',
    required: !Object.hasOwn(body, 'default'),
    sensitive: body['sensitive'] === true,
    ephemeral: body['ephemeral'] === true,
    nullable: body['nullable'] !== false,
    deprecated: literal(body['deprecated']),
    validations: blocks(body['validation']).map(({ condition, error_message }) => ({
      condition: literal(condition),
      message: literal(error_message),
    })),
  };
}

function outputOf(name: string, body: Declared): Output {
  return {
    name,
    description: literal(body['description']),
    sensitive: body['sensitive'] === true,
    ephemeral: body['ephemeral'] === true,
    deprecated: literal(body['deprecated']),
  };
}

function dependencyOf(name: string, body: Declared): Dependency {
  return { name, source: literal(body['source']), version: literal(body['version']) };
}

function providerOf(name: string, wanted: unknown): ProviderDependency {
  const {
    source: given = '',
    version = wanted,
    configuration_aliases: aliases,
  } = isJsonObject(wanted) ? wanted : {};
  // A provider without a source is in the default namespace.
  const source = literal(given) || `hashicorp/${name}`;
  return {
    name,
    namespace: source.split('/').at(-2) ?? '',
    source,
    version: isJsonObject(version) ? '' : literal(version),
    aliases: Array.isArray(aliases) ? aliases.map(literal).filter(Boolean) : [],
  };
}

/** Blocks with one label. HCL has an array of bodies for each label, JSON may have a single body. */
function labeled(value: unknown): [string, Declared][] {
  return blocks(value).flatMap((labels) =>
    Object.entries(labels).flatMap(([label, bodies]) =>
      blocks(bodies).map((body): [string, Declared] => [label, body]),
    ),
  );
}

function blocks(value: unknown): Declared[] {
  return (Array.isArray(value) ? value : [value]).filter(isJsonObject);
}

/** The text of an attribute, or its expression as written. */
function literal(value: unknown): string {
  if (typeof value !== 'string') return '';
  return wholeExpression(value) ?? value.replaceAll('$${', '${').replaceAll('%%{', '%{');
}

/** The parser returns an expression as a text entirely in `${…}`. */
function wholeExpression(text: string): string | undefined {
  return /^\$\{([^]*)\}$/.exec(text)?.[1];
}

const identifier = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;
/** Deeper defaults are truncated. */
const deepest = 50;

/** A value as an expression in HCL. */
function expression(value: unknown, depth: number): string {
  if (depth > deepest) return '…';
  if (typeof value === 'string') return wholeExpression(value) ?? JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => expression(item, depth + 1)).join(', ')}]`;
  if (!isJsonObject(value)) return withExponent(textOfExact(value));
  const members = Object.entries(value).map(
    ([key, member]) =>
      `${identifier.test(key) ? key : JSON.stringify(key)} = ${expression(member, depth + 1)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The parser writes exponents out as digits: 1e400 has 401. */
function withExponent(text: string): string {
  return text.replace(
    /^(-?\d*[1-9])(0{21,})$/,
    (_, digits: string, zeros: string) => `${digits}e${zeros.length}`,
  );
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function rank(readme: string): number {
  return /\.md$/i.test(readme) ? 0 : 1;
}

function overridesLast(one: string, other: string): number {
  const isOverride = (path: string): number =>
    /(?:^|[/_])override\.(?:tf|tofu)(?:\.json)?$/.test(path) ? 1 : 0;
  return isOverride(one) - isOverride(other) || (one < other ? -1 : 1);
}

const utf8 = new TextDecoder();

/** Decodes a README without control characters, which are meaningless and take six characters each in JSON. */
function decode(bytes: Uint8Array | undefined): string {
  if (bytes === undefined) return '';
  // oxlint-disable-next-line no-control-regex -- they are what is left out
  return utf8.decode(bytes).replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]+/g, '');
}
