import type { Request } from 'express';
import type { FieldFaults } from '../domain/refusal.ts';

/** Reads parameters of the query string. Repeated and invalid parameters add a fault. */
export class QueryReader {
  readonly #req: Request;
  readonly #faults: FieldFaults;

  constructor(req: Request, faults: FieldFaults) {
    this.#req = req;
    this.#faults = faults;
  }

  /** Empty if missing. */
  string(name: string): string {
    const value = this.#req.query[name];
    if (value === undefined) return '';
    if (typeof value === 'string') return value;
    this.#faults.add(name, 'This field can be given only once.');
    return '';
  }

  /** False if missing. */
  boolean(name: string): boolean {
    const value = this.string(name);
    if (/^(?:1|t|T|TRUE|true|True)$/.test(value)) return true;
    if (value !== '' && !/^(?:0|f|F|FALSE|false|False)$/.test(value)) {
      this.#faults.add(name, 'This field must be true or false.');
    }
    return false;
  }

  /** The number of items of a page: `most` if missing or 0, and never more. */
  pageSize(most: number): number {
    const value = this.string('page_size');
    if (!/^\d{0,9}$/.test(value)) {
      this.#faults.add('page_size', 'This field must be a whole number, 0 or greater.');
      return most;
    }
    const size = Number(value);
    return size === 0 ? most : Math.min(size, most);
  }
}
