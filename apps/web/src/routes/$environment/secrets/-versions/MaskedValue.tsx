import { stringOf } from '@gatehouse/api-types/console/json-text';
import { maskedText } from '@gatehouse/ui/secret-value';
import { VisibleEnds } from '@gatehouse/ui/visible-ends';

/** A secret's value: dots until revealed, then the text with its line breaks. */
export function MaskedValue({ text, isShown }: { text: string; isShown: boolean }) {
  if (!isShown) {
    return (
      <>
        <span className="block truncate font-mono text-meta/5">{maskedText}</span>
        <span className="sr-only"> (masked)</span>
      </>
    );
  }
  const written = stringOf(text);
  return (
    <span className="block max-h-72 overflow-y-auto font-mono text-meta/5 whitespace-pre-wrap wrap-anywhere">
      {written === '' ? '""' : <VisibleEnds text={written ?? text} />}
    </span>
  );
}
