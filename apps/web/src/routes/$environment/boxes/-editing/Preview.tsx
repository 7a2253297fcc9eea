import { Button } from '@gatehouse/ui/button';
import { useEffect, useState } from 'react';
import { Markdown } from '#components/markdown/Markdown.tsx';

/** The pause in typing after which the preview updates, in ms. */
const pauseMs = 300;
/** The maximum length of text that updates automatically; rendering longer text while you type would be slow. */
const mostByItself = 16_000;

/** A preview of Markdown text. */
export function Preview({ text }: { text: string }) {
  const [shown, setShown] = useState(text.length > mostByItself ? '' : text);
  const isByItself = text.length <= mostByItself;
  useEffect(() => {
    if (!isByItself) return undefined;
    const timer = window.setTimeout(() => {
      setShown(text);
    }, pauseMs);
    return () => {
      window.clearTimeout(timer);
    };
  }, [text, isByItself]);
  if (text.trim() === '') return null;
  return (
    <section aria-label="Preview" className="mt-8 flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2 border-b border-line pb-1.5">
        <h2 className="text-heading font-semibold text-ink-1">Preview</h2>
        {!isByItself && shown !== text && (
          <Button
            size={28}
            onPress={() => {
              setShown(text);
            }}
          >
            Update the preview
          </Button>
        )}
      </div>
      <Markdown text={shown} label="preview" />
    </section>
  );
}
