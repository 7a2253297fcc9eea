import { once } from 'node:events';
import type { Response } from 'express';
import { sendJson } from './http.ts';
import type { Slices } from './slices.ts';

/** Characters sent at once; a shorter answer has a Content-Length. */
const enough = 64 * 1024;

/**
 * Sends JSON text that is generated in parts. Gives way to other work between parts, and generates no more than the
 * client reads. An error before the first `enough` characters is handled like any other; a later one cuts the answer
 * off.
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
        if (!res.write(text)) await once(res, 'drain', { signal: gone.signal });
        text = '';
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

/** Cuts a text into parts of `enough` characters, and not within a character that takes two. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = from + enough;
    if (text.codePointAt(to - 1) !== text.charCodeAt(to - 1)) to += 1;
    yield text.slice(from, to);
  }
}
