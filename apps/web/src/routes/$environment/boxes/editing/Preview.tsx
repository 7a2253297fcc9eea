import { Markdown } from '../../../../components/markdown/Markdown.tsx';

/** How a text in Markdown will look to those who read it. */
export function Preview({ text }: { text: string }) {
  if (text.trim() === '') return null;
  return (
    <section aria-label="Preview" className="mt-8 flex flex-col gap-3">
      <h2 className="border-b border-line pb-1.5 text-heading font-semibold text-ink-1">Preview</h2>
      <Markdown text={text} label="preview" />
    </section>
  );
}
