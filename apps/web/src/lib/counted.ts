/** A number with its noun: `1 version`, `1,204 versions`. */
export function counted(value: number, noun: string, many = `${noun}s`): string {
  return `${value.toLocaleString('en')} ${value === 1 ? noun : many}`;
}
