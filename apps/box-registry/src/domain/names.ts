/** The longest name of an owner, a box, a provider or an architecture, in characters. */
export const maxName = 100;
/** The longest short description, in characters. */
export const maxShortDescription = 512;
/** The longest description, in characters. */
export const maxDescription = 65_536;
/** The longest URL, in characters. */
export const maxUrl = 4096;

const name = /^[0-9A-Za-z](?:[0-9A-Za-z._-]*[0-9A-Za-z_-])?$/;
/** Login names of users may be e-mail addresses. */
const ownerName = /^[0-9A-Za-z](?:[0-9A-Za-z._@+-]*[0-9A-Za-z_-])?$/;

/** The first path segments that the registry uses itself. */
const reservedOwners: ReadonlySet<string> = new Set(['api', 'upload', 'health']);

/** The form in which names are compared: case doesn't distinguish names. */
export function nameKey(text: string): string {
  return text.toLowerCase();
}

/** The fault of an owner's name; undefined if it is valid. */
export function ownerNameFault(text: string): string | undefined {
  if (reservedOwners.has(nameKey(text))) return `Username ${text} is reserved`;
  return nameFault('Username', text, ownerName);
}

/** The fault of a box's name; undefined if it is valid. */
export function boxNameFault(text: string): string | undefined {
  // Clients request `name.json`.
  if (/\.json$/i.test(text)) return 'Name must not end in .json';
  return nameFault('Name', text);
}

/** The fault of a provider's name; undefined if it is valid. */
export function providerNameFault(text: string): string | undefined {
  return nameFault('Name', text);
}

/** The fault of an architecture's name; undefined if it is valid. */
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

/** The fault of an image's external URL; undefined if it is valid. */
export function urlFault(text: string): string | undefined {
  if (text.length > maxUrl) return `Url is too long (maximum is ${maxUrl} characters)`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // eslint-disable-next-line no-control-regex -- a URL parser drops some of them silently
  if (url === undefined || /[\u0000-\u0020\u007f]/.test(text)) return 'Url is not a valid URL';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'Url must begin with http:// or https://';
  return url.username === '' && url.password === '' ? undefined : 'Url must not contain credentials';
}
