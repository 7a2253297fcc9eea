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
