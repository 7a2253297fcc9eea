import { isJsonObject } from '@gatehouse/service-kit/parse-json';
import type { Request } from 'express';
import type { Module, ModuleAddress, VersionSummary } from '../domain/module.ts';
import { Refusal, notFound } from '../domain/refusal.ts';
import type { Context } from './context.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A decoded segment of the path. */
export function segment(req: Request, name: string): string {
  const value = req.params[name];
  return typeof value === 'string' ? value : '';
}

/** The module address in a request's path. */
export function addressOf(req: Request): ModuleAddress {
  return {
    namespace: segment(req, 'namespace'),
    name: segment(req, 'name'),
    provider: segment(req, 'provider'),
  };
}

/** The module in a request's path. @throws Refusal `not found` */
export function openModule(context: Context, req: Request): Module {
  const module = context.modules.find(addressOf(req));
  if (module === undefined) throw notFound('Module not found');
  return module;
}

/** The version in a request's path. @throws Refusal `not found` */
export function openVersion(
  context: Context,
  req: Request,
): { readonly module: Module; readonly version: VersionSummary } {
  const module = openModule(context, req);
  const version = context.modules.version(module.id, segment(req, 'version'));
  if (version === undefined) throw notFound('Module version not found');
  return { module, version };
}

/** The latest version of the module in a request's path. @throws Refusal `not found` */
export function openLatest(
  context: Context,
  req: Request,
): { readonly module: Module; readonly version: VersionSummary } {
  const module = openModule(context, req);
  const version = context.modules.latest(module.id);
  if (version === undefined) throw notFound('All versions of the module are revoked');
  return { module, version };
}

/** A parameter of the query; the first one if it is repeated. */
export function parameter(req: Request, name: string): string | undefined {
  const value = req.query[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}

/** The object in a request's body. @throws Refusal `malformed` for anything else */
export function readObject(req: Request): JsonObject {
  const body: unknown = req.body;
  if (isJsonObject(body)) return body;
  throw new Refusal('malformed', 'The body must be a JSON object');
}

/** A text member; empty if missing. @throws Refusal `malformed` */
export function textMember(object: JsonObject, name: string, max: number): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === undefined || value === null) return '';
  return checkText(value, name, max);
}

/** @throws Refusal `malformed` */
export function checkText(value: unknown, name: string, max: number): string {
  if (typeof value !== 'string' || !value.isWellFormed())
    throw new Refusal('malformed', `${name} must be a string`);
  if (value.length > max) throw new Refusal('malformed', `${name} has more than ${max} characters`);
  // Clients print these texts to terminals, which interpret control characters.
  if (/(?![\n\t])\p{Cc}/u.test(value))
    throw new Refusal('malformed', `${name} must not contain control characters`);
  return value;
}
