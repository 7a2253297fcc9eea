export interface FilterError {
  /** What is wrong, without the position. */
  readonly message: string;
  /** The part of the expression where parsing stopped, in UTF-16 units; undefined if unknown. */
  readonly mark: { readonly from: number; readonly to: number } | undefined;
}

/**
 * Finds the position in the controller's refusal: `at character 12: …`, or go-bexpr's `1:12 (11): …`, counted
 * in bytes.
 * @param expression as sent
 */
export function filterError(message: string, expression: string): FilterError {
  const ours = /\bat character (\d+): (.*)$/s.exec(message);
  if (ours) return { message: sentence(ours[2] ?? ''), mark: markAt(expression, Number(ours[1]) - 1) };
  const theirs = /\b\d+:\d+ \((\d+)\): (.*)$/s.exec(message);
  if (theirs) {
    const bytes = new TextEncoder().encode(expression).slice(0, Number(theirs[1]));
    return {
      message: sentence(theirs[2] ?? ''),
      mark: markAt(expression, new TextDecoder().decode(bytes).length),
    };
  }
  return { message, mark: undefined };
}

/** The word at an offset; at the end of the expression, an empty range there. */
function markAt(expression: string, place: number): FilterError['mark'] {
  const from = Math.min(Math.max(place, 0), expression.length);
  const word = /^(?:[^\s()]+|.)/su.exec(expression.slice(from))?.[0].length ?? 0;
  return { from, to: from + word };
}

function sentence(text: string): string {
  const trimmed = text.trim();
  const first = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return first.endsWith('.') || first === '' ? first : `${first}.`;
}
