import type { Request } from 'express';
import { checksumFault, checksumTypes, isChecksumType } from '../../domain/checksum.ts';
import type { Checksum, ChecksumType } from '../../domain/checksum.ts';
import { architectureFault, maxName, maxUrl, providerNameFault, urlFault } from '../../domain/names.ts';
import type { Faults } from '../../domain/refusal.ts';
import { FieldReader, readGroup } from '../body.ts';
import type { Api } from '../wire/api.ts';

const known = ['name', 'url', 'checksum', 'checksum_type'];
const knownWithArchitecture = [...known, 'architecture', 'default_architecture'];
const maxChecksum = 128;

/** Fields of a provider. One that is missing or null is undefined; an empty one takes the value away (null). */
export interface ProviderFields {
  readonly name?: string;
  readonly architecture?: string;
  readonly isDefault?: boolean;
  readonly url?: string | null;
  readonly checksum?: Checksum | null;
}

/**
 * The fields of a request about a provider, grouped or not; version 1 of the API passes over architectures.
 * @param current the checksum as it is: a request may carry a part of it
 * @throws Refusal `unprocessable` when there are none
 */
export function readProviderFields(
  api: Api,
  req: Request,
  faults: Faults,
  current: Checksum | null,
): ProviderFields {
  const architectures = api.version !== 1;
  const group = readGroup(req, 'provider', architectures ? knownWithArchitecture : known);
  const fields = new FieldReader(group, faults);
  const name = fields.text('name', maxName);
  const url = fields.text('url', maxUrl);
  const architecture = architectures ? fields.text('architecture', maxName) : undefined;
  const isDefault = architectures ? fields.boolean('default_architecture') : undefined;
  const value = fields.text('checksum', maxChecksum);
  const type = fields.text('checksum_type', maxChecksum);
  for (const fault of [
    name === undefined ? undefined : providerNameFault(name),
    architecture === undefined ? undefined : architectureFault(architecture),
    url === undefined || url === '' ? undefined : urlFault(url),
  ]) {
    if (fault !== undefined) faults.add(fault);
  }
  const checksum = readChecksum(value, type, current, faults);
  return {
    ...(name !== undefined && { name }),
    ...(architecture !== undefined && { architecture }),
    ...(isDefault !== undefined && { isDefault }),
    ...(url !== undefined && { url: url === '' ? null : url }),
    ...(checksum !== undefined && { checksum }),
  };
}

function readChecksum(
  value: string | undefined,
  type: string | undefined,
  current: Checksum | null,
  faults: Faults,
): Checksum | null | undefined {
  if (value === undefined && (type === undefined || type === '')) return undefined;
  if (value === '') return null;
  const wholeType = type === undefined || type === '' ? current?.type : type.toLowerCase();
  const wholeValue = (value ?? current?.value)?.toLowerCase();
  // A kind alone says nothing: the checksum comes with it, or later.
  if (wholeValue === undefined && isChecksumType(wholeType ?? '')) return undefined;
  if (wholeType === undefined || !isChecksumType(wholeType)) {
    faults.add(`Checksum type must be one of ${checksumTypes.join(', ')}`);
    return undefined;
  }
  return checked({ type: wholeType, value: wholeValue ?? '' }, faults);
}

function checked(
  checksum: { readonly type: ChecksumType; readonly value: string },
  faults: Faults,
): Checksum {
  const fault = checksumFault(checksum);
  if (fault !== undefined) faults.add(fault);
  return checksum;
}
