/**
 * What is read of a registry that boxes are moved from: its API (version 1 or 2), or the metadata that its clients get. Each
 * entry is read by itself, so that a broken one does not hide the others; what is left out or of another form is empty.
 */
import * as z from 'zod/mini';

const text = z.catch(z.string(), '');
const flag = z.catch(z.nullable(z.boolean()), null);
const list = z.catch(z.array(z.unknown()), []);

export const sourceProvider = z.object({
  name: z.string().check(z.minLength(1)),
  architecture: text,
  default_architecture: flag,
  /** Null in metadata. */
  hosted: flag,
  original_url: text,
  download_url: text,
  /** Metadata alone. */
  url: text,
  checksum: text,
  checksum_type: text,
  size: z.catch(z.nullable(z.int().check(z.gte(0))), null),
});
export type WireSourceProvider = z.output<typeof sourceProvider>;

export const sourceVersion = z.object({
  version: z.string().check(z.minLength(1)),
  status: text,
  description_markdown: text,
  /** Of metadata; in the API it may be HTML. */
  description: text,
  providers: list,
});

export const sourceBox = z.object({
  name: z.string(),
  short_description: text,
  description_markdown: text,
  description: text,
  private: flag,
  versions: z.pipe(
    z.nullish(z.array(z.unknown())),
    z.transform((value) => value ?? []),
  ),
});

const listedBox = z.object({ username: text, name: text, tag: text });

/** `GET user/:username`, and of a search. */
export const sourceBoxes = z.object({
  boxes: z.array(z.catch(listedBox, { username: '', name: '', tag: '' })),
});
