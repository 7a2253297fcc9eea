import { checkObjectText, JsonTextError } from '@gatehouse/api-types/console/json-text';
import { dataLimitBytes, dataValuesLimit } from '@gatehouse/api-types/console/secret-names';
import type { Slices } from '@gatehouse/service-kit/slices';
import { ProblemError } from '#ground/problem.ts';

/**
 * Checks the text of a secret's data. The problem names the position of an error and contains no text.
 * @param field the request's field, for the problem
 * @throws ProblemError `invalid-request` if the text isn't a JSON object, `payload-too-large`
 */
export function checkData(text: string, field = 'data'): void {
  if (Buffer.byteLength(text) > dataLimitBytes) {
    throw new ProblemError('payload-too-large', "A secret's data can be at most 4 MiB.", {
      fields: [{ path: field, message: "A secret's data can be at most 4 MiB." }],
    });
  }
  try {
    checkObjectText(text, dataValuesLimit);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new ProblemError('invalid-request', `${error.message}.`, {
      fields: [{ path: field, message: error.message }],
    });
  }
}

/**
 * Checks the data of many secrets, giving way to other requests.
 * @throws ProblemError `invalid-request` for invalid data or a duplicate path
 */
export async function checkEntries(
  entries: readonly { readonly path: string; readonly data: string }[],
  slices: Slices,
): Promise<void> {
  const seen = new Set<string>();
  for (const [index, { path, data }] of entries.entries()) {
    await slices.giveWay();
    checkData(data, `entries.${index}.data`);
    if (seen.has(path)) throw new ProblemError('invalid-request', `The path "${path}" is listed twice.`);
    seen.add(path);
  }
}
