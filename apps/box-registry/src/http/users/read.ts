import { sendJson } from '@gatehouse/service-kit/http';
import { renderMarkdown } from '../../domain/markdown.ts';
import { notFound } from '../../domain/refusal.ts';
import { isVisible, openNamespace } from '../access.ts';
import type { Operation } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { wireBox } from '../wire/box.ts';

/**
 * GET …/user/:username: an organization or a person with the boxes that the caller may see; of others' those alone
 * that have a released version. People are known to who has a token, or by a public box.
 */
export const readOwner: Operation = (context, req, res) => {
  const { caller, namespace, actions } = openNamespace(context, req);
  const all = namespace.id === undefined ? [] : context.boxes.list(namespace.id);
  const readable = actions.includes('read');
  const versions = context.versions.ofBoxes(all.map((box) => box.id));
  const visible = all
    .map((box) => ({
      box,
      versions: (versions.get(box.id) ?? []).filter((version) => isVisible(version, actions)),
    }))
    .filter(
      (one) =>
        readable || (!one.box.isPrivate && one.versions.some((version) => version.status === 'active')),
    );
  if (caller === undefined && namespace.kind === 'person' && visible.length === 0) throw notFound();
  const api = apiOf(context, req);
  sendJson(res, 200, {
    username: namespace.name,
    avatar_url: null,
    profile_html: renderMarkdown(namespace.profile),
    profile_markdown: namespace.profile,
    boxes: visible.map((one) => wireBox(api, one.box, one.versions, false)),
  });
};
