import { listText, sendParts } from '@gatehouse/service-kit/parts';
import type { Request } from 'express';
import { renderMarkdown } from '../../domain/markdown.ts';
import { notFound } from '../../domain/refusal.ts';
import { openNamespace, stillReadable, whileAllowed, type NamespaceAccess } from '../access.ts';
import { visibleStatuses } from '../boxes/boxes.ts';
import type { Context, Operation } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { listedText } from '../wire/box.ts';

/**
 * GET …/user/:username: an organization or a user, with the boxes that the caller may see. Other owners' boxes need a
 * released version. A user is visible to callers with a token, and to all if they have a public box.
 */
export const readOwner: Operation = (context, req, res, slices) => {
  const access = openNamespace(context, req);
  const { name, profile } = access.namespace;
  const fields = {
    username: name,
    avatar_url: null,
    profile_html: renderMarkdown(profile),
    profile_markdown: profile,
  };
  return sendParts(res, slices, listText(fields, 'boxes', boxTexts(context, req, access)));
};

/** @throws Refusal `not found` at the end if the caller has no token and the user no public box */
function* boxTexts(
  context: Context,
  req: Request,
  { caller, namespace, actions }: NamespaceAccess,
): Generator<Generator<string> | undefined> {
  const { boxes, versions } = context;
  const api = apiOf(context, req);
  const readable = actions.includes('read');
  let isKnown = caller !== undefined || namespace.kind !== 'person';
  if (namespace.id !== undefined) {
    // At least 1, if the first box becomes visible while others are sent.
    const count = Math.max(boxes.count(namespace.id, readable ? 'all' : 'released'), 1);
    const judge = stillReadable(context, req, namespace.id, actions);
    for (const box of whileAllowed(judge, boxes.list(namespace.id, readable ? 'all' : 'public'))) {
      const current = versions.currentOf(box.id, false);
      const isVisible = readable || current !== undefined;
      isKnown ||= isVisible;
      const all = whileAllowed(judge, versions.ofBox(box.id, visibleStatuses(actions), false));
      yield isVisible ? listedText(api, box, current, all, count) : undefined;
    }
  }
  if (!isKnown) throw notFound();
}
