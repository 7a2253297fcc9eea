/** Without characters that are easily confused when read out or copied by hand. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const groups = 5;
const groupLength = 4;

/** A password of 20 random characters (116 bits) in groups of four. */
export function newPassword(): string {
  const characters: string[] = [];
  // Skips bytes above the last multiple of the alphabet's length, which would make its first characters more likely.
  const limit = Math.floor(256 / alphabet.length) * alphabet.length;
  while (characters.length < groups * groupLength) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < limit) characters.push(alphabet.charAt(byte % alphabet.length));
  }
  return Array.from({ length: groups }, (_, group) =>
    characters.slice(group * groupLength, (group + 1) * groupLength).join(''),
  ).join('-');
}
