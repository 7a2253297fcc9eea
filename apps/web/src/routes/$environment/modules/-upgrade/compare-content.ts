/** What an upgrade changes for a module's users: inputs, outputs and requirements. */
import type { ModuleContent, ModuleFolder, ModuleInput } from '@gatehouse/api-types/console/modules';
import { acceptsType } from './accepts-type.ts';
import { normalExpression, normalType } from './normal-expression.ts';

/** `note`: existing blocks keep working, but it is worth knowing. */
export type Weight = 'breaking' | 'additive' | 'note';
export type Area = 'setting' | 'input' | 'output' | 'provider' | 'dependency' | 'resource' | 'submodule';

export interface ContentChange {
  readonly area: Area;
  readonly name: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly weight: Weight;
  /** The change in a few words: `now required`. */
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

/** Changes in the root module or a submodule. */
export interface FolderChanges {
  /** Empty for the root module. */
  readonly path: string;
  readonly changes: readonly ContentChange[];
}

export type Verdict = 'breaking' | 'additive' | 'none';

export interface ContentComparison {
  readonly verdict: Verdict;
  /** Folders with changes, the root module first. */
  readonly folders: readonly FolderChanges[];
  /** Unread files of either version. Their declarations aren't compared. */
  readonly unread: readonly string[];
}

/**
 * Compares the declarations of two versions.
 * @returns undefined if one of them could not be read at all
 */
export function compareContent(from: ModuleContent, to: ModuleContent): ContentComparison | undefined {
  if (from.root === null || to.root === null) return undefined;
  const root: FolderChanges = { path: '', changes: compareFolders(from.root, to.root) };
  const submodules = paired(from.submodules, to.submodules, ({ path }) => path).map(
    ([path, before, after]): FolderChanges => ({ path, changes: compareSubmodules(path, before, after) }),
  );
  const folders = [root, ...submodules].filter(({ changes }) => changes.length > 0);
  return {
    verdict: verdictOf(folders.flatMap(({ changes }) => changes)),
    folders,
    unread: [...new Set([...from.problems, ...to.problems].map(({ path }) => path))].toSorted(),
  };
}

/** The verdict on changes: a single breaking one decides. */
function verdictOf(changes: readonly Pick<ContentChange, 'weight'>[]): Verdict {
  if (changes.some(({ weight }) => weight === 'breaking')) return 'breaking';
  return changes.some(({ weight }) => weight === 'additive') ? 'additive' : 'none';
}

function compareSubmodules(
  path: string,
  before: ModuleFolder | undefined,
  after: ModuleFolder | undefined,
): readonly ContentChange[] {
  if (before !== undefined && after !== undefined) return compareFolders(before, after);
  const kind = before === undefined ? 'added' : 'removed';
  return [
    {
      area: 'submodule',
      name: path,
      kind,
      weight: kind === 'added' ? 'additive' : 'breaking',
      what: kind === 'added' ? 'new submodule' : 'submodule removed',
      before: '',
      after: '',
    },
  ];
}

function compareFolders(from: ModuleFolder, to: ModuleFolder): readonly ContentChange[] {
  return [
    ...changesOf('setting', [requiredVersion(from)], [requiredVersion(to)], compareRequiredVersions),
    ...changesOf('input', from.inputs, to.inputs, compareInputs),
    ...changesOf('output', from.outputs, to.outputs, (before, after) => {
      if (before === undefined) return [{ weight: 'additive', what: 'new output' }];
      if (after === undefined) return [{ weight: 'breaking', what: 'output removed' }];
      const found = marksOf(before, after);
      // The places that use it must then be ephemeral, too.
      if (before.ephemeral !== after.ephemeral)
        found.push(
          after.ephemeral
            ? { weight: 'breaking', what: 'now ephemeral' }
            : { weight: 'note', what: 'no longer ephemeral' },
        );
      return found;
    }),
    ...changesOf('provider', from.provider_dependencies, to.provider_dependencies, (before, after) => {
      if (before === undefined)
        return (after?.aliases ?? []).length === 0
          ? [{ weight: 'note', what: 'new provider', after: needOf(after) }]
          : [{ weight: 'breaking', what: 'new provider', after: after?.aliases.join(', ') ?? '' }];
      if (after === undefined)
        return [{ weight: 'note', what: 'no longer required', before: needOf(before) }];
      const sides = { before: needOf(before), after: needOf(after) };
      const found: Finding[] = [];
      if (before.aliases.toSorted().join() !== after.aliases.toSorted().join())
        found.push({
          weight: 'breaking',
          what: 'configuration_aliases changed',
          before: before.aliases.join(', ') || 'none',
          after: after.aliases.join(', ') || 'none',
        });
      if (before.source !== after.source)
        found.push({ weight: 'breaking', what: 'source changed', ...sides });
      else if (normalConstraint(before.version) !== normalConstraint(after.version))
        found.push(
          leastVersion(after.version)[0] > leastVersion(before.version)[0]
            ? { weight: 'breaking', what: 'requires a newer major version', ...sides }
            : { weight: 'note', what: 'version constraint changed', ...sides },
        );
      return found;
    }),
    ...changesOf('dependency', from.dependencies, to.dependencies, (before, after) => {
      if (before === undefined) return [{ weight: 'note', what: 'new dependency', after: needOf(after) }];
      if (after === undefined) return [{ weight: 'note', what: 'no longer called', before: needOf(before) }];
      const isSame =
        before.source === after.source &&
        normalConstraint(before.version) === normalConstraint(after.version);
      return isSame
        ? []
        : [
            {
              weight: 'note',
              what: 'source or version changed',
              before: needOf(before),
              after: needOf(after),
            },
          ];
    }),
    ...changesOf(
      'resource',
      from.resources.map(named),
      to.resources.map(named),
      (before) => [
        before === undefined
          ? { weight: 'note', what: 'new resource' }
          : { weight: 'note', what: 'no longer managed: destroyed unless it was moved' },
      ],
      () => true,
    ),
  ];
}

function named({ type, name }: { readonly type: string; readonly name: string }) {
  return { name: `${type}.${name}` };
}

function requiredVersion({ required_version: version }: ModuleFolder) {
  return { name: 'required_version', version };
}

function compareRequiredVersions(
  before: { readonly version: string } | undefined,
  after: { readonly version: string } | undefined,
): readonly Finding[] {
  const sides = { before: before?.version || 'any', after: after?.version || 'any' };
  if (normalConstraint(sides.before) === normalConstraint(sides.after)) return [];
  const [[oldMajor, oldMinor], [major, minor]] = [leastVersion(sides.before), leastVersion(sides.after)];
  // Unlike providers, clients don't install it on the way.
  return major > oldMajor || (major === oldMajor && minor > oldMinor)
    ? [{ weight: 'breaking', what: 'requires a newer Terraform or OpenTofu', ...sides }]
    : [{ weight: 'note', what: 'constraint changed', ...sides }];
}

type Marked = Pick<ModuleInput, 'sensitive' | 'deprecated'>;

/** Changes of the attributes that inputs and outputs share. */
function marksOf(before: Marked, after: Marked): Finding[] {
  const found: Finding[] = [];
  if (before.sensitive !== after.sensitive)
    found.push({ weight: 'note', what: after.sensitive ? 'now sensitive' : 'no longer sensitive' });
  if ((before.deprecated === '') !== (after.deprecated === ''))
    found.push(
      after.deprecated === ''
        ? { weight: 'note', what: 'no longer deprecated' }
        : { weight: 'note', what: 'now deprecated', after: after.deprecated },
    );
  return found;
}

/** Whether values are accepted or refused that weren't before. */
function compareTaken(before: ModuleInput, after: ModuleInput): Finding[] {
  const found: Finding[] = [];
  if (before.nullable !== after.nullable)
    found.push(
      after.nullable
        ? { weight: 'additive', what: 'accepts null now' }
        : after.required
          ? { weight: 'breaking', what: 'no longer accepts null' }
          : { weight: 'note', what: 'null now means the default' },
    );
  const [former, now] = [before, after].map(({ validations }) =>
    validations.map(({ condition }) => normalExpression(condition)),
  );
  const isNew = (_: unknown, at: number): boolean => former?.includes(now?.[at] ?? '') === false;
  const added = after.validations.filter(isNew);
  if (added.length > 0)
    found.push({
      weight: 'breaking',
      what: 'new validation',
      after: added.map(({ condition, message }) => `${condition}: ${message}`).join('\n'),
    });
  else if (former?.every((condition) => now?.includes(condition)) === false)
    found.push({ weight: 'additive', what: 'fewer validations' });
  // Only ephemeral inputs accept ephemeral values.
  if (before.ephemeral !== after.ephemeral)
    found.push(
      after.ephemeral
        ? { weight: 'additive', what: 'accepts ephemeral values now' }
        : { weight: 'breaking', what: 'no longer accepts ephemeral values' },
    );
  return found;
}

type Finding = Pick<ContentChange, 'weight' | 'what'> & Partial<Pick<ContentChange, 'before' | 'after'>>;

function compareInputs(before: ModuleInput | undefined, after: ModuleInput | undefined): readonly Finding[] {
  if (before === undefined && after !== undefined)
    return after.required
      ? [{ weight: 'breaking', what: 'new required input', after: after.type }]
      : [{ weight: 'additive', what: 'new optional input', after: after.default }];
  if (before === undefined || after === undefined) return [{ weight: 'breaking', what: 'input removed' }];
  const found: Finding[] = [];
  const [former, type] = [normalType(before.type), normalType(after.type)];
  if (former !== type) {
    const sides = { before: before.type || 'any', after: after.type || 'any' };
    found.push(
      acceptsType(type, former)
        ? { weight: 'additive', what: 'accepts more than before', ...sides }
        : { weight: 'breaking', what: 'type changed', ...sides },
    );
  }
  if (before.required !== after.required)
    found.push(
      after.required
        ? { weight: 'breaking', what: 'now required', before: before.default }
        : { weight: 'additive', what: 'now optional', after: after.default },
    );
  else if (normalExpression(before.default) !== normalExpression(after.default))
    found.push({ weight: 'note', what: 'default changed', before: before.default, after: after.default });
  return [...found, ...compareTaken(before, after), ...marksOf(before, after)];
}

/** Findings about named items, by name. An item on only one side was added or removed. */
function changesOf<Item extends { readonly name: string }>(
  area: Area,
  from: readonly Item[],
  to: readonly Item[],
  compare: (before: Item | undefined, after: Item | undefined) => readonly Finding[],
  isSame: (before: Item, after: Item) => boolean = () => false,
): readonly ContentChange[] {
  return paired(from, to, ({ name }) => name).flatMap(([name, before, after]) => {
    if (before !== undefined && after !== undefined && isSame(before, after)) return [];
    const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
    return compare(before, after).map((finding): ContentChange => ({
      area,
      name,
      kind,
      before: '',
      after: '',
      ...finding,
    }));
  });
}

function paired<Item>(
  from: readonly Item[],
  to: readonly Item[],
  keyOf: (item: Item) => string,
): readonly (readonly [key: string, before: Item | undefined, after: Item | undefined])[] {
  const before = new Map(from.map((item) => [keyOf(item), item]));
  const after = new Map(to.map((item) => [keyOf(item), item]));
  return [...new Set([...before.keys(), ...after.keys()])]
    .toSorted()
    .map((key) => [key, before.get(key), after.get(key)] as const);
}

function needOf(item: { readonly source: string; readonly version: string } | undefined): string {
  return item === undefined ? '' : [item.source, item.version].filter(Boolean).join(' ');
}

/** A constraint without formatting, its parts in a fixed order. */
function normalConstraint(text: string): string {
  return text
    .split(',')
    .map((part) => part.replaceAll(/\s+/g, '').replace(/^=(?=\d)/, ''))
    .filter(Boolean)
    .toSorted()
    .join(',');
}

/** The minimum major and minor version of a constraint; 0 if it has none. */
function leastVersion(constraint: string): readonly [major: number, minor: number] {
  return constraint
    .split(',')
    .map((part) => /^\s*(?:>=|~>|>|=)?\s*(\d+)(?:\.(\d+))?/.exec(part))
    .map((found): readonly [number, number] => [Number(found?.[1] ?? 0), Number(found?.[2] ?? 0)])
    .reduce(
      (most, one) => (one[0] > most[0] || (one[0] === most[0] && one[1] > most[1]) ? one : most),
      [0, 0],
    );
}
