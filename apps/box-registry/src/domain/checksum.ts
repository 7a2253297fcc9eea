/** Kinds of checksums, by the names that clients use. */
export const checksumTypes = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;

export type ChecksumType = (typeof checksumTypes)[number];

/** The expected checksum of an image. */
export interface Checksum {
  readonly type: ChecksumType;
  /** Lower-case hexadecimal. */
  readonly value: string;
}

/** The computed checksums of an image, in lower-case hexadecimal. */
export type Digests = Readonly<Partial<Record<ChecksumType, string>>>;

/** The kind that is computed if a provider names none. */
export const defaultChecksumType: ChecksumType = 'sha256';

const hexLength: Readonly<Record<ChecksumType, number>> = {
  md5: 32,
  sha1: 40,
  sha256: 64,
  sha384: 96,
  sha512: 128,
};

export function isChecksumType(text: string): text is ChecksumType {
  return checksumTypes.some((type) => type === text);
}

/** The fault of a checksum; undefined if it is valid. */
export function checksumFault({ type, value }: Checksum): string | undefined {
  const length = hexLength[type];
  return value.length === length && /^[0-9a-f]*$/.test(value)
    ? undefined
    : `Checksum is not a ${type} checksum: it must have ${length} hexadecimal digits`;
}
