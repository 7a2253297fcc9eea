/** A capability on a path, as written in policies. */
export type Capability =
  | 'create'
  | 'read'
  | 'update'
  | 'delete'
  | 'list'
  | 'sudo'
  | 'patch'
  | 'subscribe'
  | 'recover'
  | 'scan'
  | 'deny';

/** Each capability's bit in a bit set. */
export const capabilityBits: Readonly<Record<Capability, number>> = {
  deny: 1,
  create: 2,
  read: 4,
  update: 8,
  delete: 16,
  list: 32,
  sudo: 64,
  patch: 128,
  subscribe: 256,
  recover: 512,
  scan: 1024,
};

export function isCapability(word: string): word is Capability {
  return Object.hasOwn(capabilityBits, word);
}

/**
 * The words of a bit set, in alphabetical order as other servers return them; only `deny` for a denial or an empty set.
 */
export function capabilityWords(bits: number): Capability[] {
  if ((bits & capabilityBits.deny) !== 0 || bits === 0) return ['deny'];
  return alphabetical.filter((word) => (bits & capabilityBits[word]) !== 0);
}

const alphabetical: readonly Capability[] = Object.keys(capabilityBits).filter(isCapability).toSorted();
