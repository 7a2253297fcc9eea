import { badRequest } from '../refusal.ts';
import { JsonText, jsonOf } from './json-text.ts';

/** The maximum length of a list in an answer, in characters: the answer is sent in one stretch. */
export const mostListed = 8 * 1024 * 1024;

/** Characters and members written in one go, in about a millisecond. */
const inOneGo = { characters: 64 * 1024, members: 100 };

/**
 * Writes a map as JSON in slices; a small one at once.
 * @param entries may be read or made one by one
 * @param remedy what to do if it is too long
 * @param most the maximum length in characters
 * @throws Refusal 400 if it is too long
 */
export async function mapText(
  entries: Iterable<readonly [name: string, value: unknown]>,
  giveWay: () => Promise<void>,
  remedy: string,
  most = mostListed,
): Promise<JsonText> {
  const members: string[] = [];
  let characters = 0;
  let rest = inOneGo.characters;
  for (const [name, value] of entries) {
    const member = `${JSON.stringify(name)}:${jsonOf(value)}`;
    members.push(member);
    characters += member.length;
    rest -= member.length;
    if (characters > most) throw badRequest(`this list is too long for one response: ${remedy}`);
    if (rest > 0 && members.length % inOneGo.members !== 0) continue;
    rest = inOneGo.characters;
    await giveWay();
  }
  return new JsonText(`{${members.join(',')}}`);
}
