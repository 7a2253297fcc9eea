import { usePolling } from '#lib/polling.ts';
import { useServiceNews } from '#queries/service-news.ts';
import { connectionsQuery } from '#queries/session.ts';
import { useRecovery } from './use-recovery.ts';

/** Keeps watch on the services, apart from the frame: their answers redraw nothing. */
export function ServiceWatch() {
  usePolling(connectionsQuery, 30);
  useRecovery();
  useServiceNews();
  return null;
}
