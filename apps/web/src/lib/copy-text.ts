import { fetchPart } from '@gatehouse/ui/lazy';

/** Copies a text and confirms it. @param what a noun, such as `ID` */
export async function copyText(text: string, what: string): Promise<void> {
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    isCopied = false;
  }
  const { toasts } = await fetchPart(() => import('@gatehouse/ui/toast'));
  if (isCopied) {
    toasts.ok({ title: `${what} copied` });
  } else {
    toasts.danger({
      title: "Couldn't copy",
      detail: "The browser doesn't let this page use the clipboard.",
    });
  }
}
