/** Whether the move's owner may publish under a name here. */
import { readOwner } from '#upstreams/box-registry/boxes.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import { listNamespaces, listOrganizations, mayIn } from '#upstreams/box-registry/management.ts';
import { mayOf as mayInNamespace } from '#upstreams/box-registry/resources.ts';
import type { ModulesCaller } from '#upstreams/module-registry/client.ts';
import { ownToken } from '#upstreams/module-registry/own-token.ts';
import { mayOf } from '#upstreams/module-registry/resources.ts';
import { ifThere } from '#upstreams/service-error.ts';
import type { PlaceHere } from './planned.ts';

type OwnerHere = PlaceHere['owner'];

/** @throws ServiceError if the registry doesn't answer */
export async function boxOwnerHere(caller: BoxesCaller, username: string): Promise<OwnerHere> {
  const may = await mayIn(caller, username);
  if (may !== null)
    return may.publish ? 'there' : { refused: `You aren't allowed to publish boxes of ${username} here.` };
  if ((await ifThere(() => readOwner(caller, username))) !== null) return 'there';
  const organizations = await listOrganizations(caller);
  if (organizations?.mayCreate === true) return 'created';
  return {
    refused: `The owner ${username} doesn't exist here, and you aren't allowed to create it. Choose another owner for these boxes.`,
  };
}

/** Whether the caller may publish any boxes here. @throws ServiceError if the registry doesn't answer */
export async function anyBoxOwnerHere(caller: BoxesCaller): Promise<OwnerHere> {
  const namespaces = await listNamespaces(caller);
  if (namespaces === null || namespaces.some(({ actions }) => mayInNamespace(actions)?.publish ?? false))
    return 'there';
  if ((await listOrganizations(caller))?.mayCreate === true) return 'created';
  return { refused: "You aren't allowed to publish boxes here." };
}

/** @throws ServiceError if the registry doesn't answer */
export async function namespaceHere(caller: ModulesCaller): Promise<OwnerHere> {
  const own = await ownToken(caller);
  if (own === null)
    return {
      refused: 'The console can only read this module registry. Nothing can be published there.',
    };
  return mayOf(own)?.publish === true ? 'there' : { refused: "You aren't allowed to publish modules here." };
}
