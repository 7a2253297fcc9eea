/** What a policy can grant on a path, in the words of policy texts. */
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
  | 'deny';

/** Each capability's bit in a set of them. */
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
};

/** Whether a word of a policy text names a capability. */
export function isCapability(word: string): word is Capability {
  return Object.hasOwn(capabilityBits, word);
}

/**
 * The words of a set of capabilities, in alphabetical order as the field's servers answer them. Nothing granted, or a
 * denial, is `deny` alone.
 */
export function capabilityWords(bits: number): Capability[] {
  if ((bits & capabilityBits.deny) !== 0 || bits === 0) return ['deny'];
  return alphabetical.filter((word) => (bits & capabilityBits[word]) !== 0);
}

const alphabetical: readonly Capability[] = Object.keys(capabilityBits).filter(isCapability).toSorted();
