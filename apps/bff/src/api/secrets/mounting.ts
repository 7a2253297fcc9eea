import type * as z from 'zod/mini';
import { onceWritten } from '#conflict/guarded-write.ts';
import { hashOf } from '#ground/fields-revision.ts';
import { audited, type AuditedRun } from '#operation/operation.ts';
import type { ServiceCall } from '#session/service-token.ts';
import type { SecretsCaller } from '#upstreams/secrets-server/client.ts';
import { mountEngine } from '#upstreams/secrets-server/mounts.ts';
import { secretsCaller } from './caller.ts';
import { guardedCreate } from './guarded-create.ts';
import { secretResource } from './stored-secret.ts';
import { wished } from './wished.ts';

/** A kind of engine that can be mounted. */
interface Mounting<Sent, Found, Shown> {
  /** Its kind in problems. */
  readonly name: 'secret-engine' | 'cloud-engine';
  readonly body: z.ZodMiniType<Sent>;
  /** What the server is sent. Throws to refuse it. */
  readonly fieldsOf: (caller: SecretsCaller, sent: Sent) => Parameters<typeof mountEngine>[2];
  /** The engines of this kind that the server shows. */
  readonly list: (caller: SecretsCaller) => Promise<readonly Found[]>;
  /** An engine as the page gets it. */
  readonly show: (caller: SecretsCaller, found: Found) => Promise<Shown>;
  /** A mounted engine that the caller can't read, as the page gets it. */
  readonly unread: (sent: Sent) => Shown;
  readonly isSent: (engine: Found | Shown, sent: Sent) => boolean;
}

/** The operation that mounts an engine where none is mounted. */
export function mounting<
  Sent extends { readonly mount: string },
  Found extends { readonly path: string },
  Shown extends object,
>(kind: Mounting<Sent, Found, Shown>): AuditedRun<ServiceCall & { readonly body: Sent }, Shown> {
  const find = async (caller: SecretsCaller, mount: string) =>
    (await kind.list(caller)).find(({ path }) => path === mount);
  return audited(
    {
      address: (call) => ({ id: call.body.mount }),
      became: async (context, call, intent, wish) => {
        const found = await find(await secretsCaller(context, call), intent.resource_id);
        const sent = wished(kind.body, wish);
        // Servers show only engines that the caller may use, so a hidden one may be mounted.
        const isMounted = found !== undefined && sent !== undefined && kind.isSent(found, sent);
        return { outcome: isMounted ? 'succeeded' : 'unknown' };
      },
    },
    async (context, call) => {
      const { body: sent } = call;
      const { mount } = sent;
      const caller = await secretsCaller(context, call);
      const fields = kind.fieldsOf(caller, sent);
      const resource = secretResource(caller, { mount, path: '' }, kind.name);
      const read = async (): Promise<Shown | null> => {
        const found = await find(caller, mount);
        return found === undefined ? null : kind.show(caller, found);
      };
      return guardedCreate({
        resource,
        revisionOf: hashOf,
        read,
        send: async () => {
          await mountEngine(caller, mount, fields);
          // It is mounted, whether or not it can be read.
          return (await onceWritten(read)) ?? kind.unread(sent);
        },
        equalsSent: (engine) => kind.isSent(engine, sent),
      });
    },
  );
}
