import { useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { headingAt, markdownFragment, type Rendered } from './markdown-fragment.ts';
import { renderAside, renderedBefore } from './render-aside.ts';

const look = [
  'max-w-180 min-w-0 overflow-x-auto text-body text-ink-1 wrap-anywhere',
  '[&>*+*]:mt-3 [&>*:first-child]:mt-0',
  '[&_h3]:mt-6 [&_h3]:text-heading [&_h3]:font-semibold [&_h4]:mt-5 [&_h4]:font-semibold [&_h5]:mt-4 [&_h5]:font-semibold [&_h6]:mt-4 [&_h6]:font-medium',
  '[&_ul]:list-disc [&_ul]:ps-5 [&_ol]:list-decimal [&_ol]:ps-5 [&_li]:mt-1 [&_li>p]:mt-1',
  '[&_a]:text-accent [&_a]:underline [&_a]:underline-offset-2',
  '[&_code]:rounded-tag [&_code]:border [&_code]:border-line [&_code]:bg-sunken [&_code]:px-1 [&_code]:font-mono [&_code]:text-[0.92em]',
  '[&_pre]:rounded-control [&_pre]:border [&_pre]:border-line [&_pre]:bg-sunken [&_pre]:px-3 [&_pre]:py-2 [&_pre]:whitespace-pre-wrap [&_pre_code]:border-0 [&_pre_code]:bg-transparent [&_pre_code]:p-0',
  '[&_blockquote]:border-s-2 [&_blockquote]:border-line [&_blockquote]:ps-3 [&_blockquote]:text-ink-2',
  '[&_hr]:border-line [&_th]:border-b [&_th]:border-line [&_th]:py-1 [&_th]:pe-4 [&_th]:text-start [&_th]:font-medium [&_td]:border-b [&_td]:border-line [&_td]:py-1 [&_td]:pe-4 [&_td]:align-top',
].join(' ');

function focusOn(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1;
  element.focus();
}

/** Untrusted Markdown. A previous text stays until this one is rendered. */
export function MarkdownText({ text, resolve, waiting }: Omit<Rendered, 'html'> & { waiting: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const hash = useLocation({ select: (location) => location.hash });
  const [rendered, setRendered] = useState<Rendered | undefined>(() => {
    const html = renderedBefore.get(text);
    return html === undefined ? undefined : { text, html, resolve };
  });
  const isCurrent = rendered?.text === text && rendered.resolve === resolve;
  useEffect(() => {
    if (isCurrent) return undefined;
    const left = new AbortController();
    void renderAside(text, left.signal).then((html) => {
      if (!left.signal.aborted) setRendered({ text, html, resolve });
    });
    return () => {
      left.abort();
    };
  }, [text, resolve, isCurrent]);
  useLayoutEffect(() => {
    const element = place.current;
    if (element === null || rendered === undefined) return;
    const hadFocus = element.contains(document.activeElement);
    element.replaceChildren(markdownFragment(rendered));
    // Makes an overflowing table focusable, so that it can be scrolled by keyboard.
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute('tabindex');
    // The followed link no longer exists.
    if (hadFocus) focusOn(element);
  }, [rendered]);
  useEffect(() => {
    const heading = place.current && headingAt(place.current, hash);
    if (heading) focusOn(heading);
  }, [rendered, hash]);
  useEffect(() => {
    const element = place.current;
    const follow = (event: MouseEvent): void => {
      const href = event.target instanceof Element && event.target.closest('a')?.getAttribute('href');
      if (!href || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      if (href.startsWith('/')) void navigate({ href });
      else if (!href.startsWith('#')) return;
      else {
        const heading = element && headingAt(element, href);
        if (!heading) return;
        focusOn(heading);
      }
      event.preventDefault();
    };
    element?.addEventListener('click', follow);
    return () => element?.removeEventListener('click', follow);
  }, [navigate]);
  return (
    <>
      {rendered === undefined && waiting}
      <div ref={place} className={look} hidden={rendered === undefined} />
    </>
  );
}
