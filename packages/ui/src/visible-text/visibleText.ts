/** Characters that are not seen, and those that turn the text around them: two names that differ only in one look the same. */
const hidden = String.raw`[\p{DI}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]|(?![\t\n\r])\p{Cc}|^\p{M}`;

/** Marks and letters of scripts in which joiners between letters belong to the spelling. */
const joined = String.raw`[\p{M}\u0600-\u07bf\u0900-\u0dff\u1780-\u18af]`;

/** What is kept as it is, and each character that is shown. An emoji may hold joiners and selectors. */
const pieces = new RegExp(
  String.raw`\p{RGI_Emoji}|(?<=${joined})[\u200c\u200d](?=${joined})|(${hidden})`,
  'gv',
);

/** What most texts are made of: nothing is looked for in them. */
const plain = /^[\t\n\r -~]*$/;

/** A character by its number: `[U+202E]`. */
export function characterName(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** The parts of a text: each second one is a character that is not seen, or turns the text around it. */
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

/** A text in which characters that hide or turn text are seen. To be shown only: never to be sent or copied. */
export function visibleText(text: string): string {
  return partsOf(text)
    .map((part, at) => (at % 2 === 0 ? part : characterName(part)))
    .join('');
}
