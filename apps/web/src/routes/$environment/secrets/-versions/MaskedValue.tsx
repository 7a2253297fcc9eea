import { stringOf } from '@gatehouse/api-types/console/json-text';
import { maskedText } from '@gatehouse/ui/secret-value';
import { VisibleEnds } from '@gatehouse/ui/visible-ends';

/** A value of a secret: dots until it is shown, then as it is, with its line breaks. */
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
    <span className="block max-h-60 overflow-y-auto font-mono text-meta/5 whitespace-pre-wrap wrap-anywhere">
      {written === '' ? '""' : <VisibleEnds text={written ?? text} />}
    </span>
  );
}
