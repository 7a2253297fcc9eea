/**
 * Keys of a secret as forms hold them. An object of JavaScript moves keys that are whole numbers to its front, and takes
 * `__proto__` for something else: those keys are written with a mark before them.
 */
const mark = ':';
const special = /^(?::|\d+$|__proto__$|constructor$|prototype$)/;

/** The key of a form's entry for a field of a secret. */
export function formKey(name: string): string {
  return special.test(name) ? mark + name : name;
}

/** The field of a secret that a form's key stands for. */
export function fieldName(key: string): string {
  return key.startsWith(mark) ? key.slice(mark.length) : key;
}
