/** What a record takes besides its own bytes, about. */
const overhead = 1024;

/** A cache of records by key, emptied when one more would exceed its size. */
export type SizedCache<Value> = ReturnType<typeof sizedCache<Value>>;

/** @param mostBytes of all records, to which each adds 1 KiB */
export function sizedCache<Value>(mostBytes: number) {
  const records = new Map<string, { readonly value: Value; readonly bytes: number }>();
  let bytes = 0;
  const clear = (): void => {
    records.clear();
    bytes = 0;
  };
  const remove = (key: string): void => {
    bytes -= records.get(key)?.bytes ?? 0;
    records.delete(key);
  };
  return {
    get: (key: string): Value | undefined => records.get(key)?.value,
    /** A record that exceeds the size is kept until the next. @returns whether the cache was emptied first */
    set(key: string, value: Value, size: number): boolean {
      remove(key);
      const isFull = bytes + size + overhead > mostBytes;
      if (isFull) clear();
      records.set(key, { value, bytes: size + overhead });
      bytes += size + overhead;
      return isFull;
    },
    delete: remove,
    clear,
  };
}
