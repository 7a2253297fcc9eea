/** A whole number from 1 of the command line. @throws Error that names the option */
export function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new Error(`--${name} takes a whole number from 1, not "${text}".`);
  return value;
}
