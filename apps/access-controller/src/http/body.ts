import { isJsonObject } from '@gatehouse/service-kit/parse-json';
import type { Request } from 'express';
import type { FieldFaults } from '../domain/refusal.ts';
import { Refusal } from '../domain/refusal.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** The JSON object in a request's body. @throws Refusal `invalid argument` if the body is anything else */
export function readObject(req: Request): JsonObject {
  const body: unknown = req.body;
  if (isJsonObject(body)) return body;
  throw new Refusal('invalid argument', 'Error in provided request. The body must be a JSON object.');
}

/** Whether a change sets no field. */
export function isEmptyChange(change: object): boolean {
  return Object.values(change).every((value) => value === undefined);
}

/**
 * Reads members of an object. A missing member is undefined, null is null; a member of another type adds a fault and
 * is undefined.
 */
export class MemberReader {
  readonly #object: JsonObject;
  readonly #faults: FieldFaults;
  readonly #prefix: string;

  /** @param prefix the object's path in the request, such as `attributes.`, for the names of faults */
  constructor(object: JsonObject, faults: FieldFaults, prefix = '') {
    this.#object = object;
    this.#faults = faults;
    this.#prefix = prefix;
  }

  string(name: string): string | null | undefined {
    return this.#read(name, isText, 'This field must be a string.');
  }

  /** An integer within 53 bits. */
  integer(name: string): number | null | undefined {
    return this.#read(name, isInteger, 'This field must be an integer.');
  }

  boolean(name: string): boolean | null | undefined {
    return this.#read(name, isBoolean, 'This field must be true or false.');
  }

  object(name: string): JsonObject | null | undefined {
    return this.#read(name, isJsonObject, 'This field must be an object.');
  }

  strings(name: string): readonly string[] | null | undefined {
    return this.#read(name, isTexts, 'This field must be a list of strings.');
  }

  /** The required version of a resource: a positive integer; undefined, with a fault, if it is missing or invalid. */
  version(): number | undefined {
    const version = this.integer('version');
    if (typeof version === 'number' && version > 0) return version;
    this.#faults.add(`${this.#prefix}version`, 'Existing resource version is required for an update.');
    return undefined;
  }

  #read<Type>(name: string, is: (value: unknown) => value is Type, problem: string): Type | null | undefined {
    const sent = Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
    // A raw number is in another notation, such as 22.0.
    const value = JSON.isRawJSON(sent) ? Number(JSON.stringify(sent)) : sent;
    if (value === undefined || value === null || is(value)) return value;
    this.#faults.add(this.#prefix + name, problem);
    return undefined;
  }
}

/** A lone surrogate can't be stored and returned unchanged. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed();
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
