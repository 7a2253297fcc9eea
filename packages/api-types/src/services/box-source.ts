/**
 * Answers of a registry that boxes are moved from: its API (version 1 or 2), or the metadata for clients. Each entry is
 * parsed separately, so that a broken one doesn't hide the others; missing or invalid values are empty.
 */
import * as z from 'zod/mini';
import { lenient, lenientText } from './fields.ts';

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
  /** Only in metadata. */
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
  /** From metadata; the API may return HTML. */
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

/** `GET user/:username`, and the answer to a search. */
export const sourceBoxes = z.object({ boxes: z.array(z.unknown()) });

/** An entry of either. */
export const listedBox = lenient(z.object({ username: lenientText, name: lenientText, tag: lenientText }), {
  username: '',
  name: '',
  tag: '',
});
