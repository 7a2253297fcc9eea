/** A unit of code: one chunk of the trial build. */
export interface Part {
  readonly id: string;
  /** Estimated compressed size in bytes. */
  readonly bytes: number;
  /** IDs of imported parts. */
  readonly imports: readonly string[];
}

/** Parts that are loaded together, and their weight. */
export interface Load {
  readonly parts: ReadonlySet<string>;
  readonly weight: number;
}

/** Cost of an additional request, in compressed bytes. */
const requestBytes = 3000;

/** Compressed bytes that a join may make a page load unused, however many other pages it serves. */
const mostInVain = 8_000;

interface Cluster {
  readonly parts: readonly string[];
  readonly bytes: number;
  /** By index of the load: 1 if it includes the cluster. */
  readonly loads: Uint8Array;
}

/**
 * Decides which parts share a file, so that pages load little unused code in few requests. Repeatedly joins
 * the two clusters that save most: a join saves a request for each load with both, and costs the unused bytes
 * of each load with one. Files never import each other in a cycle, because code could then run before its
 * imports.
 * @returns groups of IDs; each part is in exactly one
 */
export function planChunks(parts: readonly Part[], loads: readonly Load[]): readonly (readonly string[])[] {
  const clusters = new Map<number, Cluster>();
  const clusterOf = new Map<string, number>();
  for (const [index, { id, bytes }] of parts.entries()) {
    clusterOf.set(id, index);
    const isLoaded = Uint8Array.from(loads, (load) => (load.parts.has(id) ? 1 : 0));
    clusters.set(index, { parts: [id], bytes, loads: isLoaded });
  }
  const imports = new Map(parts.map((part) => [part.id, part.imports]));

  /** What a cluster imports, directly and transitively, except through its direct import of `besides`. */
  const importsOf = (from: number, besides: number): ReadonlySet<number> => {
    const direct = (index: number): readonly number[] =>
      (clusters.get(index)?.parts ?? [])
        .flatMap((id) => imports.get(id) ?? [])
        .flatMap((id) => clusterOf.get(id) ?? [])
        .filter((other) => other !== index);
    const found = new Set<number>();
    const waiting = direct(from).filter((index) => index !== besides);
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (found.has(index)) continue;
      found.add(index);
      waiting.push(...direct(index));
    }
    return found;
  };

  /** A cluster, followed by all that it imports. */
  const withImports = (index: number, besides: number): readonly Cluster[] =>
    [index, ...importsOf(index, besides)].flatMap((one) => clusters.get(one) ?? []);

  /**
   * Merges b into a; loads of either then include the imports of both. Returns clusters with changed loads.
   */
  const join = (i: number, j: number, a: Cluster, b: Cluster): ReadonlySet<number> => {
    const loaded = union(a.loads, b.loads);
    const imported = [...importsOf(i, j), ...importsOf(j, i)];
    clusters.set(i, { parts: [...a.parts, ...b.parts], bytes: a.bytes + b.bytes, loads: loaded });
    clusters.delete(j);
    for (const id of b.parts) clusterOf.set(id, i);
    const changed = new Set([i, j]);
    for (const index of imported) {
      const cluster = clusters.get(index);
      if (cluster === undefined || cluster.loads.every((is, load) => is >= (loaded[load] ?? 0))) continue;
      clusters.set(index, { ...cluster, loads: union(cluster.loads, loaded) });
      changed.add(index);
    }
    return changed;
  };

  const savingOf = (i: number, j: number): number => {
    const [a, b] = [clusters.get(i), clusters.get(j)];
    return a === undefined || b === undefined ? 0 : saving([a], [b], loads);
  };

  // Upper bounds of the savings. Imports are costly to count, so only for the best join.
  const savings = parts.map((_, i) => parts.map((__, j) => (i < j ? savingOf(i, j) : 0)));
  for (;;) {
    const [i, j] = best(savings);
    const [a, b] = [clusters.get(i), clusters.get(j)];
    const row = savings[i];
    if (a === undefined || b === undefined || row === undefined) break;
    const isCircle = importsOf(i, j).has(j) || importsOf(j, i).has(i);
    const saved = isCircle ? 0 : saving(withImports(i, j), withImports(j, i), loads);
    if (saved < (row[j] ?? 0)) {
      row[j] = saved;
      continue;
    }
    for (const index of join(i, j, a, b)) {
      for (const [other] of parts.entries()) {
        const [low, high] = [Math.min(index, other), Math.max(index, other)];
        const of = savings[low];
        if (of !== undefined && low < high) of[high] = savingOf(low, high);
      }
    }
  }
  return [...clusters.values()].map((cluster) => cluster.parts);
}

function union(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((is, index) => is | (b[index] ?? 0));
}

/** Indices of the pair that saves most, or -1 if no join saves. */
function best(savings: readonly (readonly number[])[]): readonly [number, number] {
  let most = 0;
  let found: readonly [number, number] = [-1, -1];
  for (const [i, row] of savings.entries()) {
    for (let j = i + 1; j < row.length; j += 1) {
      const saved = row[j] ?? 0;
      if (saved > most) {
        most = saved;
        found = [i, j];
      }
    }
  }
  return found;
}

/** Bytes that joining two clusters saves. @param a a cluster, followed by all that it imports */
function saving(a: readonly Cluster[], b: readonly Cluster[], loads: readonly Load[]): number {
  const [ownA, ownB] = [a[0]?.loads, b[0]?.loads];
  let saved = 0;
  for (const [index, { weight }] of loads.entries()) {
    const [hasA, hasB] = [ownA?.[index] === 1, ownB?.[index] === 1];
    if (hasA && hasB) saved += weight * requestBytes;
    if (hasA === hasB) continue;
    const [own, ...more] = hasA ? b : a;
    if ((own?.bytes ?? 0) > mostInVain) return 0;
    saved -= weight * (own?.bytes ?? 0);
    for (const { bytes, loads: loaded } of more) {
      if (loaded[index] !== 1) saved -= weight * (bytes + requestBytes);
    }
  }
  return saved;
}
