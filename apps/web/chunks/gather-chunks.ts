import path from 'node:path';
import { build, type PluginOption, type Rolldown, type Plugin } from 'vite';
import { firstRequests, type FirstRequests } from '../src/first-requests.ts';
import { planChunks, type Load } from './plan.ts';
import { screensOf, type Screen } from './screens.ts';

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/** How much each kind of page counts: every visit loads the shell, most visits a list. */
const weights: Readonly<Record<Screen['kind'], number>> = {
  'sign-in': 100,
  shell: 150,
  later: 20,
  list: 24,
  record: 3,
};
/** A list together with its menus, which are fetched once it is shown. */
const weightOfMenus = 8;
/** Dialogs and other parts that are fetched on demand. */
const weightOnDemand = 1;

/** Compressed bytes per byte of unminified code. */
const compression = 0.12;

/**
 * Puts code that the same pages load into one file, so that a first visit needs few requests. A trial build,
 * which isn't written, shows which pages load what. Emits two files: `first-visits.json`, what each page
 * loads and requests, for the server, which makes browsers fetch it early, and for the budgets; and
 * `sources.json`, which sources each file contains.
 * @param plugins creates the page's plugins, once per build
 */
export function gatherChunks(root: string, plugins: () => readonly PluginOption[]): Plugin[] {
  let final: Chunks = new Map();
  const planned: Plugin = {
    name: 'gatehouse:gather-chunks',
    apply: 'build',
    async config({ build: options }) {
      const output = await build({
        configFile: false,
        root,
        logLevel: 'error',
        plugins: [...plugins()],
        build: { ...options, write: false, minify: false, manifest: false },
      });
      const groups = groupsOf(chunksOf(output), root);
      return {
        build: {
          modulePreload: {
            polyfill: false,
            // A file is loaded together with its imports, so it needs no list of them for what it fetches later.
            resolveDependencies: (_file, dependencies, { hostId }) => {
              const loaded = filesOf(final, [hostId]);
              return dependencies.filter((file) => !loaded.has(file));
            },
          },
          rolldownOptions: {
            output: {
              codeSplitting: {
                includeDependenciesRecursively: false,
                groups: [{ debugName: 'planned', name: (id: string) => groups.get(id) ?? null }],
              },
            },
          },
        },
      };
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = byName(Object.values(bundle));
        const entries = entriesOf(chunks, root);
        const visits = screensOf([...entries.keys()]).map(({ path, kind, roots }) => ({
          path,
          kind,
          ...requestsOf(path, kind),
          files: [
            ...filesOf(
              chunks,
              roots.flatMap((name) => entries.get(name) ?? []),
            ),
          ],
        }));
        const emit = (name: string, value: unknown): void => {
          this.emitFile({ type: 'asset', fileName: `.vite/${name}.json`, source: JSON.stringify(value) });
        };
        emit('first-visits', visits);
        emit(
          'sources',
          Object.fromEntries([...chunks].map(([file, { modules }]) => [file, sourcesOf(modules, root)])),
        );
      },
    },
  };
  const named: Plugin = {
    name: 'gatehouse:name-chunks',
    apply: 'build',
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        final = byName(Object.values(bundle));
      },
    },
  };
  return [planned, named];
}

/** Names the target file for each shared module. */
function groupsOf(chunks: Chunks, root: string): ReadonlyMap<string, string> {
  const entries = entriesOf(chunks, root);
  const screens = screensOf([...entries.keys()]);
  const loaded = (names: readonly string[]): ReadonlySet<string> =>
    filesOf(
      chunks,
      names.flatMap((name) => entries.get(name) ?? []),
    );
  const loads: Load[] = screens.map(({ kind, roots }) => ({
    parts: loaded(roots),
    weight: weights[kind],
  }));
  const later = screens.find(({ kind }) => kind === 'later')?.roots ?? [];
  const afterShell = loaded(later);
  for (const { kind, roots } of screens) {
    if (kind !== 'list') continue;
    const own = [...loaded(roots)].filter((file) => !afterShell.has(file));
    const menus = own.flatMap((file) => chunks.get(file)?.dynamicImports ?? []);
    loads.push({ parts: filesOf(chunks, [...afterShell, ...own, ...menus]), weight: weightOfMenus });
  }
  const named = new Set(screens.flatMap(({ roots }) => roots));
  for (const name of entries.keys()) {
    if (!named.has(name)) loads.push({ parts: loaded([...later, name]), weight: weightOnDemand });
  }
  const shared = [...chunks.values()].filter(({ isEntry, isDynamicEntry }) => !isEntry && !isDynamicEntry);
  const plan = planChunks(
    shared.map(({ fileName, modules, imports }) => ({
      id: fileName,
      imports,
      bytes:
        compression * Object.values(modules).reduce((sum, { renderedLength }) => sum + renderedLength, 0),
    })),
    loads,
  );
  return new Map(
    plan.flatMap((files, index) =>
      files.flatMap((file) =>
        Object.keys(chunks.get(file)?.modules ?? {}).map((id) => [id, `shared-${index}`] as const),
      ),
    ),
  );
}

/** Output files of the entries and dynamic imports, by the module's path in the page's folder. */
function entriesOf(chunks: Chunks, root: string): ReadonlyMap<string, string> {
  return new Map(
    [...chunks.values()].flatMap(({ isEntry, isDynamicEntry, facadeModuleId, fileName }) =>
      facadeModuleId !== null && (isEntry || isDynamicEntry)
        ? [[path.relative(root, facadeModuleId).split(path.sep).join('/'), fileName]]
        : [],
    ),
  );
}

/** A page's first requests, including those of the shell. */
function requestsOf(path: string, kind: Screen['kind']): Required<FirstRequests> {
  const shell = kind === 'sign-in' ? [] : (firstRequests['shell']?.always ?? []);
  const { always = [], rows = [] } = firstRequests[path] ?? {};
  return { always: [...shell, ...always], rows };
}

/** All files that loading `roots` fetches, including style sheets. */
function filesOf(chunks: Chunks, roots: readonly string[]): ReadonlySet<string> {
  const files = new Set<string>();
  const waiting = [...roots];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const chunk = chunks.get(file);
    if (chunk === undefined || files.has(file)) continue;
    files.add(file);
    waiting.push(...chunk.imports);
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
  }
  return files;
}

function chunksOf(output: Awaited<ReturnType<typeof build>>): Chunks {
  const [first] = [output].flat();
  if (first === undefined || !('output' in first)) throw new Error('The first build has no output.');
  return byName(first.output);
}

function byName(files: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): Chunks {
  return new Map(files.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
}

/** The uncompressed bytes of a file, by package or folder. */
function sourcesOf(modules: Rolldown.OutputChunk['modules'], root: string): Readonly<Record<string, number>> {
  const sources: Record<string, number> = {};
  for (const [id, { renderedLength }] of Object.entries(modules)) {
    const name = sourceOf(
      path
        .relative(path.join(root, '..', '..'), id)
        .split(path.sep)
        .join('/'),
    );
    sources[name] = (sources[name] ?? 0) + renderedLength;
  }
  return sources;
}

/** A package's name, or the module's folder without private parts of screens. */
function sourceOf(file: string): string {
  const [, dependency] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
  if (dependency !== undefined) return dependency;
  return file.split('/').slice(0, -1).slice(0, 6).join('/');
}
