/** The answer of a list operation without pages. */
export function wireList(items: readonly unknown[]): Readonly<Record<string, unknown>> {
  return {
    items,
    response_type: 'complete',
    list_token: '',
    sort_by: 'created_time',
    sort_dir: 'desc',
    est_item_count: items.length,
    removed_ids: [],
  };
}

/** The JSON of an item of `withList`. */
export function listItem(item: unknown): Buffer {
  return Buffer.from(JSON.stringify(item));
}

/**
 * The JSON of an answer with a list, whose items are serialized and encoded one by one so that other
 * work can continue.
 * @param answer its other members, at least one
 */
export function withList(answer: object, name: string, items: readonly Buffer[]): Buffer {
  const start = `${JSON.stringify(answer).slice(0, -1)},${JSON.stringify(name)}:[`;
  const comma = Buffer.from(',');
  const parts = items.flatMap((item, at) => (at === 0 ? item : [comma, item]));
  return Buffer.concat([Buffer.from(start), ...parts, Buffer.from(']}')]);
}
