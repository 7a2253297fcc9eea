import type { Response } from 'express';
import { sendJson } from './http.ts';
import type { Slices } from './slices.ts';
import { drained } from './waiting-answers.ts';

/** Characters sent at once; a shorter answer has a Content-Length. */
const enough = 64 * 1024;

/**
 * Sends JSON text that is generated in parts. Gives way to other work between parts, and generates no more than the
 * client reads: keep in a generator only what is small, and read the rest when it is needed. An error before the first
 * `enough` characters is handled like any other; a later one cuts the answer off.
 * @param parts an array is in memory anyway, so it is written without waiting, and counts as unread
 */
export async function sendParts(
  res: Response,
  slices: Slices,
  parts: Iterable<string>,
  headers: Readonly<Record<string, string>> = {},
  status = 200,
): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  let text = '';
  try {
    await slices.giveWay();
    for (const part of parts) {
      text += part;
      if (text.length >= enough) {
        if (!res.headersSent)
          res.writeHead(status, {
            'Content-Type': 'application/json; charset=utf-8',
            'Cache-Control': 'no-store',
            'X-Content-Type-Options': 'nosniff',
            ...headers,
          });
        const isRead = res.write(text) || Array.isArray(parts);
        text = '';
        if (!isRead) await drained(res, gone.signal);
      }
      await slices.giveWay();
    }
  } catch (error) {
    if (res.destroyed) return;
    throw error;
  }
  if (res.headersSent) res.end(text);
  else sendJson(res, status, text, headers);
}

/** Generates all parts of a text that can't be generated later, and gives way to other work between them. */
export async function gather(slices: Slices, parts: Iterable<string>): Promise<readonly string[]> {
  const gathered: string[] = [];
  for (const part of parts) {
    gathered.push(part);
    await slices.giveWay();
  }
  return gathered;
}

/**
 * The JSON text of an object whose last member is a list.
 * @param elements the text of each element, in parts; undefined omits an element
 */
export function* listText(
  fields: object,
  name: string,
  elements: Iterable<Iterable<string> | undefined>,
): Generator<string> {
  const start = JSON.stringify(fields).slice(0, -1);
  const head = `${start}${start === '{' ? '' : ','}"${name}":[`;
  let before = head;
  for (const element of elements) {
    if (element === undefined) yield '';
    else {
      yield before;
      before = ',';
      yield* element;
    }
  }
  yield before === head ? `${head}]}` : ']}';
}
