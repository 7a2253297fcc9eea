import { sendJson } from '@gatehouse/service-kit/http';
import type { Request, Response } from 'express';
import type { Box, Version } from '../../domain/box.ts';
import type { NamespaceAction } from '../../domain/permissions.ts';
import { isVisible } from '../access.ts';
import type { Context } from '../context.ts';
import { apiOf } from '../wire/api.ts';
import { wireBox } from '../wire/box.ts';

/** Versions of a box that somebody may know of, newest number first. */
export function visibleVersions(
  context: Context,
  box: Box,
  actions: readonly NamespaceAction[],
): readonly Version[] {
  return context.versions.ofBox(box.id).filter((version) => isVisible(version, actions));
}

/** Answers with a box, as every operation on one does. */
export function sendBox(
  context: Context,
  req: Request,
  res: Response,
  box: Box,
  actions: readonly NamespaceAction[],
): void {
  sendJson(res, 200, wireBox(apiOf(context, req), box, visibleVersions(context, box, actions)));
}
