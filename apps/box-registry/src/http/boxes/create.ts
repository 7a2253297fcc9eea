import { Faults, forbidden, notFound, unprocessable } from '../../domain/refusal.ts';
import { actionsIn, findNamespace, requirePublish } from '../access.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { sendParts } from '../parts.ts';
import { visibleText } from './answer.ts';
import { readBoxFields } from './fields.ts';

/** POST …/boxes: in the caller's own namespace unless another one is named. */
export const createBox: Operation = async (context, req, res, slices) => {
  const caller = requireCaller(context, req);
  // The namespace is in the body, but people who only read can publish in none.
  if (caller.role === 'read-only') throw forbidden('You may not create boxes');
  const faults = new Faults();
  const fields = readBoxFields(req, faults);
  const named = fields.username === undefined || fields.username === '' ? undefined : fields.username;
  const namespace =
    named === undefined
      ? (context.namespaces.ofAccount(caller.account.id) ?? findNamespace(context, caller.account.loginName))
      : findNamespace(context, named);
  if (namespace === undefined) throw notFound();
  const actions = actionsIn(context, caller, namespace);
  requirePublish(actions, namespace);
  faults.refuseAny();
  if (fields.name === undefined) throw unprocessable("Name can't be blank");
  const now = context.clock.now();
  const { id: namespaceId } =
    namespace.accountId === undefined || namespace.id !== undefined
      ? { id: namespace.id ?? '' }
      : await context.namespaces.ensurePerson(namespace.accountId, namespace.name, now);
  const box = await context.boxes.create(
    {
      namespaceId,
      name: fields.name,
      shortDescription: fields.shortDescription ?? '',
      description: fields.description ?? '',
      isPrivate: fields.isPrivate ?? true,
    },
    now,
  );
  await sendParts(res, slices, visibleText(context, req, box, actions));
};
