import type { Request } from 'express';
import { targetPrefixes } from '../../domain/target/target.ts';
import type { TargetType } from '../../domain/target/target.ts';
import { targetTypes } from '../../domain/target/target.ts';
import { pathId } from '../path-id.ts';

const prefixes = Object.values(targetPrefixes);

/** The target's id in a request's path. @throws Refusal `invalid argument` on field `id` */
export function targetId(req: Request): string {
  return pathId(req, ...prefixes);
}

/** The type of a target, which its id tells. @param id a well-formed one */
export function typeOfTarget(id: string): TargetType {
  return targetTypes.find((type) => id.startsWith(`${targetPrefixes[type]}_`)) ?? 'tcp';
}
