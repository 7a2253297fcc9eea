/** @typedef {import('./imports.mjs').Import} Import */

/**
 * For every import that is part of a circle, the shortest circle that it is part of; each once.
 *
 * @param {readonly Import[]} imports
 * @returns {Import[][]} the imports of each circle, from the first of its files by name
 */
export function circlesOf(imports) {
  /** @type {Map<string, Import[]>} */
  const graph = Map.groupBy(
    imports.filter(({ file }) => file !== null),
    ({ from }) => from,
  );
  const groups = groupsOf(graph);
  /** @type {Map<string, Import[]>} */
  const circles = new Map();
  for (const first of imports) {
    if (first.file === null || groups.get(first.file) !== groups.get(first.from)) continue;
    const circle = [first, ...(wayBetween(graph, groups, first.file, first.from) ?? [])];
    const start = circle.map(({ from }) => from).toSorted()[0];
    const at = circle.findIndex(({ from }) => from === start);
    const turned = [...circle.slice(at), ...circle.slice(0, at)];
    const key = turned.map(({ from }) => from).join('\n');
    if (!circles.has(key)) circles.set(key, turned);
  }
  return [...circles.values()];
}

/**
 * The shortest way from one file to another in the same group.
 *
 * @param {Map<string, Import[]>} graph
 * @param {Map<string, number>} groups
 * @param {string} from
 * @param {string} to
 */
function wayBetween(graph, groups, from, to) {
  /** @type {{ file: string, way: Import[] }[]} */
  const waiting = [{ file: from, way: [] }];
  const seen = new Set();
  for (const { file, way } of waiting) {
    if (file === to) return way;
    for (const one of graph.get(file) ?? []) {
      if (one.file === null || seen.has(one.file) || groups.get(one.file) !== groups.get(to)) continue;
      seen.add(one.file);
      waiting.push({ file: one.file, way: [...way, one] });
    }
  }
  return undefined;
}

/**
 * Numbers the files so that two have the same number when each leads to the other (Tarjan's algorithm).
 * @param {Map<string, Import[]>} graph
 */
function groupsOf(graph) {
  /** @type {Map<string, number>} */
  const groups = new Map();
  /** @type {Map<string, number>} */
  const order = new Map();
  /** @type {string[]} */
  const open = [];
  /**
   * @param {string} file
   * @returns {number} the first open file that it leads to
   */
  const visit = (file) => {
    const own = order.size;
    let lowest = own;
    order.set(file, own);
    open.push(file);
    for (const { file: next } of graph.get(file) ?? []) {
      if (next === null || groups.has(next)) continue;
      lowest = Math.min(lowest, order.get(next) ?? visit(next));
    }
    if (lowest === own) for (const one of open.splice(open.indexOf(file))) groups.set(one, own);
    return lowest;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return groups;
}
