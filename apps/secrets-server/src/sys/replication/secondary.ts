import type { Request, Route } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { booleanField, textField, textListField } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';
import type { Redemption } from '../../replication/activation/activation.ts';
import { mostAddresses } from '../../replication/link/limits.ts';
import { clusterAddress, clusterAddressField } from './parameters.ts';
import { byWhom } from './primary.ts';

const place = 'replication/performance/secondary';

/** sys/replication/performance/secondary: enables, promotes or disables a secondary, and sets its primary. */
export function replicationSecondaryRoutes({ replication }: Context): Route[] {
  return [
    {
      path: `${place}/generate-public-key`,
      fields: [],
      operations: {
        update: async () => ({ data: { secondary_public_key: await replication.publicKey() } }),
      },
    },
    {
      path: `${place}/enable`,
      fields: ['token', 'primary_api_addr', 'ca_file', 'ca_path'],
      operations: {
        update: async (request) => ({
          warnings: await replication.enableSecondary(byWhom(request), {
            ...redemptionOf(request),
            token: tokenField(request) ?? '',
          }),
        }),
      },
    },
    {
      path: `${place}/promote`,
      fields: ['primary_cluster_addr', 'force'],
      operations: {
        update: async (request) => ({
          warnings: await replication.promoteSecondary(byWhom(request), {
            clusterAddress: clusterAddressField(request.body),
            force: booleanField(request.body, 'force') ?? false,
          }),
        }),
      },
    },
    {
      path: `${place}/disable`,
      fields: [],
      operations: {
        update: async (request) => ({ warnings: await replication.disableSecondary(byWhom(request)) }),
      },
    },
    {
      path: `${place}/update-primary`,
      fields: ['token', 'primary_api_addr', 'ca_file', 'ca_path', 'update_primary_addrs'],
      operations: {
        update: async (request) => {
          const addresses = textListField(request.body, 'update_primary_addrs') ?? [];
          if (addresses.length > mostAddresses)
            throw badRequest(`update_primary_addrs has more than ${mostAddresses} addresses`);
          return {
            warnings: await replication.updatePrimary(byWhom(request), {
              ...redemptionOf(request),
              token: tokenField(request),
              addresses: addresses.map((address) => clusterAddress(address, 'update_primary_addrs')),
            }),
          };
        },
      },
    },
  ];
}

function tokenField({ body }: Request): string | undefined {
  return textField(body, 'token')?.trim();
}

function redemptionOf({ body }: Request): Omit<Redemption, 'token'> {
  const text = (name: string): string => (textField(body, name) ?? '').trim();
  return {
    primaryApiAddress: text('primary_api_addr'),
    caFile: text('ca_file'),
    caPath: text('ca_path'),
  };
}
