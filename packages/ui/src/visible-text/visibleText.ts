/** Invisible and direction-changing characters: two names that only differ in one look identical. */
const hidden = String.raw`[\p{DI}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]|(?![\t\n\r])\p{Cc}|^\p{M}`;

/** Marks and letters of scripts whose spelling uses joiners between letters. */
const joined = String.raw`[\p{M}\u0600-\u07bf\u0900-\u0dff\u1780-\u18af]`;

/** Matches text that is kept, and captures each character to be shown. An emoji may contain joiners and selectors. */
const pieces = new RegExp(
  String.raw`\p{RGI_Emoji}|(?<=${joined})[\u200c\u200d](?=${joined})|(${hidden})`,
  'gv',
);

/** Most texts match this and need no search. */
const plain = /^[\t\n\r -~]*$/;

/** A character's code point: `[U+202E]`. */
export function characterName(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Splits a text; every second part is an invisible or direction-changing character. */
export function partsOf(text: string): string[] {
  const parts = [];
  let end = 0;
  for (const { index, 1: character } of plain.test(text) ? [] : text.matchAll(pieces)) {
    if (character === undefined) continue;
    parts.push(text.slice(end, index), character);
    end = index + character.length;
  }
  return [...parts, text.slice(end)];
}

/** A text with its invisible and direction-changing characters written out. Only for display: never send or copy it. */
export function visibleText(text: string): string {
  return partsOf(text)
    .map((part, at) => (at % 2 === 0 ? part : characterName(part)))
    .join('');
}
