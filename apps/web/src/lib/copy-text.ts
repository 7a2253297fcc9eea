/** Copies a text and says so. @param what `Id` */
export async function copyText(text: string, what: string): Promise<void> {
  const { toasts } = await import('@gatehouse/ui/toast');
  try {
    await navigator.clipboard.writeText(text);
    toasts.ok({ title: `${what} copied` });
  } catch {
    toasts.danger({
      title: 'Could not copy',
      detail: 'The browser does not let this page use the clipboard.',
    });
  }
}
