/**
 * Keys of a secret's fields in forms. JavaScript moves integer keys of an object to the front, and treats `__proto__`
 * specially, so such keys get a prefix.
 */
const mark = ':';
const special = /^(?::|\d+$|__proto__$|constructor$|prototype$)/;

export function formKey(name: string): string {
  return special.test(name) ? mark + name : name;
}

export function fieldName(key: string): string {
  return key.startsWith(mark) ? key.slice(mark.length) : key;
}
