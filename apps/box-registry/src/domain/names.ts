/** Longest name of an owner, a box, a provider or an architecture, in characters. */
export const maxName = 100;
/** Longest short description, in characters. */
export const maxShortDescription = 512;
/** Longest description, in characters. */
export const maxDescription = 65_536;
/** Longest URL, in characters. */
export const maxUrl = 4096;

const name = /^[0-9A-Za-z](?:[0-9A-Za-z._-]*[0-9A-Za-z_-])?$/;
/** People may have an e-mail address for a login name. */
const ownerName = /^[0-9A-Za-z](?:[0-9A-Za-z._@+-]*[0-9A-Za-z_-])?$/;

/** First segments of the registry's own paths. */
const reservedOwners: ReadonlySet<string> = new Set(['api', 'upload', 'health']);

/** The form in which names are compared: two that differ in case alone are one. */
export function nameKey(text: string): string {
  return text.toLowerCase();
}

/** What is wrong with the name of an owner; undefined when nothing is. */
export function ownerNameFault(text: string): string | undefined {
  if (reservedOwners.has(nameKey(text))) return `Username ${text} is reserved`;
  return nameFault('Username', text, ownerName);
}

/** What is wrong with the name of a box; undefined when nothing is. */
export function boxNameFault(text: string): string | undefined {
  // Clients ask for `name.json`.
  if (/\.json$/i.test(text)) return 'Name must not end in .json';
  return nameFault('Name', text);
}

/** What is wrong with the name of a provider; undefined when nothing is. */
export function providerNameFault(text: string): string | undefined {
  return nameFault('Name', text);
}

/** What is wrong with the name of an architecture; undefined when nothing is. */
export function architectureFault(text: string): string | undefined {
  return nameFault('Architecture', text);
}

function nameFault(field: string, text: string, form: RegExp = name): string | undefined {
  if (text === '') return `${field} can't be blank`;
  if (text.length > maxName) return `${field} is too long (maximum is ${maxName} characters)`;
  return form.test(text)
    ? undefined
    : `${field} may contain letters, digits, ".", "_" and "-", and must begin with a letter or digit`;
}

/** What is wrong with an external address of an image; undefined when nothing is. */
export function urlFault(text: string): string | undefined {
  if (text.length > maxUrl) return `Url is too long (maximum is ${maxUrl} characters)`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // eslint-disable-next-line no-control-regex -- a URL parser drops some of them silently
  if (url === undefined || /[\u0000-\u0020\u007f]/.test(text)) return 'Url is not a valid URL';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'Url must begin with http:// or https://';
  return url.username === '' && url.password === '' ? undefined : 'Url must not contain credentials';
}
