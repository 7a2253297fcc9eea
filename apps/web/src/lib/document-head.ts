import type { Environment } from '@gatehouse/api-types/console/session';
import { visibleText } from '@gatehouse/ui/visible-text';

/** Shows the environment in the tab's title and icon, so that production is recognizable among tabs. */
export function showEnvironment(
  page: string,
  environment: Pick<Environment, 'name' | 'kind'> | undefined,
): void {
  const name = visibleText(page);
  document.title =
    environment === undefined ? `${name} · Gatehouse` : `${name} · ${environment.name} · Gatehouse`;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const href = environment === undefined ? '/gate.svg' : `/gate-${environment.kind}.svg`;
  if (icon && icon.getAttribute('href') !== href) icon.setAttribute('href', href);
}
