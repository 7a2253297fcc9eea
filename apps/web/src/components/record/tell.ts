import { fetchPart } from '@gatehouse/ui/lazy';
import type { ToastMessage } from '@gatehouse/ui/toast';

/** Shows a notification about a record. Its code is loaded with the shell, so forms needn't include it. */
export async function tell(tone: 'ok' | 'warn' | 'danger', words: ToastMessage): Promise<void> {
  const { toasts } = await fetchPart(() => import('@gatehouse/ui/toast'));
  toasts[tone](words);
}
