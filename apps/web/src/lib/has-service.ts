import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { Environment } from '@gatehouse/api-types/console/session';

/** Whether a service is configured for the environment. */
export function hasService({ services }: Pick<Environment, 'services'>, name: ServiceName): boolean {
  return services.some(({ service }) => service === name);
}
