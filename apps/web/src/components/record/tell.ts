import { fetchPart } from '@gatehouse/ui/lazy';
import type { ToastMessage } from '@gatehouse/ui/toast';

/** Says what became of a record in a notification. The shell fetches the code of it: a form need not wait for that. */
export async function tell(tone: 'ok' | 'warn' | 'danger', words: ToastMessage): Promise<void> {
  const { toasts } = await fetchPart(() => import('@gatehouse/ui/toast'));
  toasts[tone](words);
}
