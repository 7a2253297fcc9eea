import { endOfString, skipSpace } from '@gatehouse/service-kit/parse-json';
import { endOfValue, keyOf } from '../../core/json/members.ts';

/** The number of members read in one go; 20,000 with long names take up to 0.1 seconds. */
const membersInOneGo = 250;

/**
 * The structure of a secret without its values: leaves and empty maps become null.
 * @param data JSON text of an object
 * @param depth the level whose keys become leaves; 0 for no limit, and a negative depth is 1
 * @param giveWay lets other requests continue
 * @returns JSON text
 */
export async function subkeys(data: string, depth: number, giveWay: () => Promise<void>): Promise<string> {
  let read = 0;
  const objectAt = async (
    start: number,
    levels: number,
  ): Promise<{ readonly text: string; readonly end: number }> => {
    // The last member of a repeated name is used.
    const members = new Map<string, string>();
    let at = skipSpace(data, start + 1);
    while (data[at] !== '}') {
      read += 1;
      if (read % membersInOneGo === 0) await giveWay();
      const keyEnd = endOfString(data, at);
      const literal = data.slice(at, keyEnd);
      const value = skipSpace(data, skipSpace(data, keyEnd) + 1);
      const isEmpty = data[value] !== '{' || data[skipSpace(data, value + 1)] === '}';
      const { text, end } =
        isEmpty || levels <= 1
          ? { text: 'null', end: endOfValue(data, value) ?? data.length }
          : await objectAt(value, levels - 1);
      members.set(keyOf(literal), `${literal}:${text}`);
      at = skipSpace(data, end);
      if (data[at] === ',') at = skipSpace(data, at + 1);
    }
    return { text: `{${[...members.values()].join(',')}}`, end: at + 1 };
  };
  return (await objectAt(skipSpace(data, 0), depth === 0 ? Infinity : depth)).text;
}
