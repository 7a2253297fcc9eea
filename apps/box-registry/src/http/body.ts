import { isJsonObject } from '@gatehouse/service-kit/parse-json';
import type { Request } from 'express';
import { Refusal, unprocessable } from '../domain/refusal.ts';
import type { Faults } from '../domain/refusal.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The object in a request's body; empty without a body. @throws Refusal `malformed` for anything else */
export function readObject(req: Request): JsonObject {
  const body: unknown = req.body;
  if (body === undefined) return {};
  if (isJsonObject(body)) return body;
  throw new Refusal('malformed', 'The body must be a JSON object');
}

/**
 * The fields of a request, either in an object named `group` or at the top level of the body: clients send both.
 * @param known the names of the fields
 * @throws Refusal `unprocessable` if neither has a known field
 */
export function readGroup(req: Request, group: string, known: readonly string[]): JsonObject {
  const body = readObject(req);
  const inner = own(body, group);
  const fields = isJsonObject(inner) ? inner : body;
  if (known.some((name) => own(fields, name) !== undefined)) return fields;
  throw unprocessable(`${group} parameter is required!`);
}

/** An object within an object; empty if it is missing. */
export function innerObject(object: JsonObject, name: string): JsonObject {
  const inner = own(object, name);
  return isJsonObject(inner) ? inner : {};
}

/** Reads fields. A missing or null field is undefined; a field of another type adds a fault. */
export class FieldReader {
  readonly #fields: JsonObject;
  readonly #faults: Faults;

  constructor(fields: JsonObject, faults: Faults) {
    this.#fields = fields;
    this.#faults = faults;
  }

  /** @param max most characters */
  text(name: string, max: number): string | undefined {
    const value = own(this.#fields, name);
    if (value === undefined || value === null) return undefined;
    const label = labelOf(name);
    // A lone surrogate can't be stored and returned unchanged.
    if (typeof value !== 'string' || !value.isWellFormed()) {
      this.#faults.add(`${label} must be a string`);
      return undefined;
    }
    if (value.length > max) {
      this.#faults.add(`${label} is too long (maximum is ${max} characters)`);
      return undefined;
    }
    return value;
  }

  /** Some clients send booleans as words. */
  boolean(name: string): boolean | undefined {
    const value = own(this.#fields, name);
    if (value === undefined || value === null) return undefined;
    if (value === true || value === 'true') return true;
    if (value === false || value === 'false') return false;
    this.#faults.add(`${labelOf(name)} must be true or false`);
    return undefined;
  }
}

function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
