/** Formats of owner, box, version and provider names. */
import * as z from 'zod/mini';
import { atMost } from './at-most.ts';
import { segment } from './registries.ts';
import { environmentId } from './service.ts';

/** Most characters of a name. */
export const nameLimit = 100;

/** Also matches the empty string, which another check reports. */
const nameForm = /^(?:[0-9A-Za-z](?:[0-9A-Za-z._-]*[0-9A-Za-z_-])?)?$/;

/** A schema for a new record's name. @param what the record in words, for example `A box` */
const newName = (what: string) =>
  z
    .string()
    .check(
      z.trim(),
      z.minLength(1, `${what} needs a name.`),
      atMost(nameLimit, `A name must be ${nameLimit} characters or fewer.`),
      z.regex(
        nameForm,
        'A name can contain letters, digits, ".", "_" and "-". It must begin with a letter or digit and can\'t end with a dot.',
      ),
    );

/** The user or organization that a box belongs to. */
export const ownerName = newName('An owner');
export const boxName = newName('A box').check(
  // Clients request `name.json`.
  z.refine((name) => !/\.json$/i.test(name), 'A box name can\'t end with ".json".'),
);
/** In `vagrant`'s spelling: `virtualbox`, `libvirt`, `vmware_desktop`. */
export const providerName = newName('A provider');
/** In `vagrant`'s spelling: `amd64`, `arm64`; `unknown` for a provider created without one. */
export const architectureName = newName('An architecture');

/** Version numbers that clients can parse. Any other breaks `vagrant box add` for the whole box. */
export const versionForm = /^[0-9]+(?:\.[0-9a-zA-Z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

export const versionNumber = z.string().check(
  z.trim(),
  z.minLength(1, 'A version needs a number.'),
  atMost(nameLimit, `A version number must be ${nameLimit} characters or fewer.`),
  z.refine(
    (number) => number === '' || versionForm.test(number),
    'Enter a version number such as 1.2.0 or 1.2.0-beta: digits first, without "v", "+" or "_".',
  ),
);

export const ownerParams = z.strictObject({ environment: environmentId, username: segment });
export const boxParams = z.strictObject({ ...ownerParams.shape, name: segment });
export const versionParams = z.strictObject({ ...boxParams.shape, version: segment });
/** An architecture of a provider; `unknown` if the registry has none. */
export const providerParams = z.strictObject({
  ...versionParams.shape,
  provider: segment,
  architecture: segment,
});
export const memberParams = z.strictObject({ ...ownerParams.shape, member: segment });
