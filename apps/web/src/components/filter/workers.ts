/** Workers as seen by worker filters: `"/name"`, and the values of each tag under `"/tags/<key>"`. */
import * as z from 'zod/mini';
import type { FilterFieldName } from './filter-completion.ts';

export const worker = z.object({
  name: z.string(),
  tags: z.record(z.string(), z.readonly(z.array(z.string()))),
});
export type Worker = z.output<typeof worker>;

/** Limit of stored workers: a preference has at most 16 kB. */
export const mostWorkers = 40;

export type ReadWorkers =
  | { readonly workers: readonly Worker[]; readonly problem?: undefined }
  | { readonly workers?: undefined; readonly problem: string };

/** Fields of the controller's answer about a worker. Filters see the canonical tags. */
const answeredTags = z.optional(z.nullable(z.record(z.string(), z.array(z.string()))));
const answered = z.object({
  name: z.optional(z.nullable(z.string())),
  id: z.optional(z.string()),
  canonical_tags: answeredTags,
  config_tags: answeredTags,
  api_tags: answeredTags,
  tags: answeredTags,
});

/**
 * Parses input about workers: tags, one `key = value, value` per line, or the JSON output of `boundary
 * workers read` or `list`, which contains their names.
 */
export function readWorkers(name: string, text: string): ReadWorkers {
  if (/^\s*[[{]/.test(text)) return readAnswer(text);
  if (name.trim() === '') return { problem: 'Enter the name of the worker.' };
  const tags = new Map<string, readonly string[]>();
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const found = /^\s*([^=:\s]+)\s*[=:]\s*(.+?)\s*$/.exec(line);
    if (!found) return { problem: `"${line.trim()}" is not a tag. Write tags like this: env = prod, eu` };
    const [, key = '', values = ''] = found;
    tags.set(key, [...(tags.get(key) ?? []), ...valuesOf(values)]);
  }
  return { workers: [{ name: name.trim(), tags: Object.fromEntries(tags) }] };
}

/** Parses `prod, eu`, or the notation of a worker's configuration: `["prod", "eu"]`. */
function valuesOf(text: string): readonly string[] {
  return text
    .replace(/^\[(.*)\]$/s, '$1')
    .split(',')
    .map((value) => value.trim().replace(/^"(.*)"$/s, '$1'))
    .filter((value) => value !== '');
}

function readAnswer(text: string): ReadWorkers {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: "The text isn't valid JSON." };
  }
  const shape = z.union([
    z.object({ item: answered }),
    z.object({ items: z.array(answered) }),
    z.array(answered),
    answered,
  ]);
  const read = shape.safeParse(json);
  if (!read.success) return { problem: "This JSON isn't a worker or a list of workers." };
  const found =
    'item' in read.data
      ? [read.data.item]
      : 'items' in read.data
        ? read.data.items
        : Array.isArray(read.data)
          ? read.data
          : [read.data];
  const workers = found.flatMap((each): Worker[] => {
    const name = each.name ?? each.id ?? '';
    const tags = each.canonical_tags ?? each.tags ?? { ...each.config_tags, ...each.api_tags };
    return name === '' ? [] : [{ name, tags }];
  });
  return workers.length === 0 ? { problem: 'No worker in this JSON has a name or ID.' } : { workers };
}

/** A worker's tags as entered. */
export function tagsText({ tags }: Worker): string {
  return Object.entries(tags)
    .map(([key, values]) => `${key} = ${values.join(', ')}`)
    .join('\n');
}

/** Adds workers, each name once. Beyond the limit, the oldest are dropped. */
export function withWorkers(known: readonly Worker[], added: readonly Worker[]): Worker[] {
  const names = new Set(added.map(({ name }) => name));
  return [...known.filter(({ name }) => !names.has(name)), ...added].slice(-mostWorkers);
}

/** Fields of worker filters: the name, and the tags of known workers. */
export function workerFilterFields(workers: readonly Worker[]): readonly FilterFieldName[] {
  const tags = new Map<string, Set<string>>();
  for (const { tags: own } of workers) {
    for (const [key, values] of Object.entries(own)) {
      const known = tags.get(key) ?? new Set();
      for (const value of values) known.add(value);
      tags.set(key, known);
    }
  }
  return [
    {
      selector: '"/name"',
      detail: 'Worker name',
      values: workers.map(({ name }) => ({ text: name })),
    },
    ...[...tags].map(([key, values]) => ({
      selector: `"/tags/${key.replaceAll('~', '~0').replaceAll('/', '~1')}"`,
      detail: `Tag: ${[...values].slice(0, 3).join(', ')}`,
      values: [...values].map((text) => ({ text })),
    })),
    ...(tags.size === 0 ? [{ selector: '"/tags/env"', detail: 'Values of the tag env' }] : []),
  ];
}
