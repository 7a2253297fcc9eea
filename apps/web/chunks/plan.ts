/** Code that lies in one file: a chunk of a build that was told nothing, or several of them. */
export interface Part {
  readonly id: string;
  /** Estimate of its compressed size in bytes. */
  readonly bytes: number;
  /** Ids of the parts that it imports. */
  readonly imports: readonly string[];
}

/** Parts that are loaded together, and how much that counts. */
export interface Load {
  readonly parts: ReadonlySet<string>;
  readonly weight: number;
}

/** What one more request costs: as much as this many compressed bytes. */
const requestBytes = 2700;

/** Most that one join has anybody load in vain, in compressed bytes: however many it serves, the few would pay for them. */
const mostInVain = 10_000;

interface Cluster {
  readonly parts: readonly string[];
  readonly bytes: number;
  /** By the index of the load: 1 where it is loaded. */
  readonly loads: Uint8Array;
}

/**
 * Says which parts to put into one file, so that little is loaded that is not needed, by few requests. It joins the two
 * clusters that save most, again and again: a join saves a request wherever both are loaded, and costs what is loaded in
 * vain wherever one was. Files never import each other in a circle, in which code would run before what it needs.
 * @returns groups of ids; every part is in one
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

  /** What a cluster imports, directly and by way of others, `besides` one that it imports directly. */
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

  /** A cluster, first, and all that it imports. */
  const withImports = (index: number, besides: number): readonly Cluster[] =>
    [index, ...importsOf(index, besides)].flatMap((one) => clusters.get(one) ?? []);

  /** Puts the second into the first: who loads one of them loads what both import. Answers whose loads changed. */
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

  // What a join saves at most: what its imports cost is found out when it is the best.
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

/** The pair that saves most, as indices; of nothing where no join saves. */
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

/** Bytes that joining two clusters saves, a request counted as bytes. @param a one of them and all that it imports */
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
