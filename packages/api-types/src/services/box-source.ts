/**
 * What is read of a registry that boxes are moved from: its API (version 1 or 2), or the metadata that its clients get. Each
 * entry is read by itself, so that a broken one does not hide the others; what is left out or of another form is empty.
 */
import * as z from 'zod/mini';
import { lenient, lenientText } from './lenient.ts';

const flag = lenient(z.nullable(z.boolean()), null);
const list = lenient(z.array(z.unknown()), []);

export const sourceProvider = z.object({
  name: z.string().check(z.minLength(1)),
  architecture: lenientText,
  default_architecture: flag,
  /** Null in metadata. */
  hosted: flag,
  original_url: lenientText,
  download_url: lenientText,
  /** Metadata alone. */
  url: lenientText,
  checksum: lenientText,
  checksum_type: lenientText,
  size: lenient(z.nullable(z.int().check(z.gte(0))), null),
});
export type WireSourceProvider = z.output<typeof sourceProvider>;

export const sourceVersion = z.object({
  version: z.string().check(z.minLength(1)),
  status: lenientText,
  description_markdown: lenientText,
  /** Of metadata; in the API it may be HTML. */
  description: lenientText,
  providers: list,
});

export const sourceBox = z.object({
  name: z.string(),
  short_description: lenientText,
  description_markdown: lenientText,
  description: lenientText,
  private: flag,
  versions: z.pipe(
    z.nullish(z.array(z.unknown())),
    z.transform((value) => value ?? []),
  ),
});

const listedBox = z.object({ username: lenientText, name: lenientText, tag: lenientText });

/** `GET user/:username`, and of a search. */
export const sourceBoxes = z.object({
  boxes: z.array(lenient(listedBox, { username: '', name: '', tag: '' })),
});
