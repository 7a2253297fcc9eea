import { FilterSyntaxError } from '@gatehouse/filter-expression/expression';
import { parseFilter } from '@gatehouse/filter-expression/parse';
import { parseAddress } from '../address.ts';
import type { FieldFaults } from '../refusal.ts';
import { Refusal } from '../refusal.ts';
import { descriptionFault, nameFault } from '../text.ts';
import type { Target, TargetAttributes, TargetChange, TargetType } from './target.ts';
import { defaultSessionMaxSeconds, typePorts, unlimitedConnections } from './target.ts';

const maxInt32 = 2_147_483_647;

/** The settable fields of a target. */
export type TargetFields = Omit<
  Target,
  | 'id'
  | 'projectId'
  | 'type'
  | 'createdTime'
  | 'updatedTime'
  | 'version'
  | 'hostSources'
  | 'credentialSources'
>;

export function blankFields(type: TargetType): TargetFields {
  return {
    name: '',
    description: '',
    address: '',
    sessionMaxSeconds: defaultSessionMaxSeconds,
    sessionConnectionLimit: unlimitedConnections,
    workerFilter: '',
    egressWorkerFilter: '',
    ingressWorkerFilter: '',
    attributes: {
      defaultPort: typePorts[type],
      defaultClientPort: null,
      storageBucketId: '',
      enableSessionRecording: false,
    },
  };
}

/** The fields of a new target. After a fault the result is meaningless. */
export function newFields(type: TargetType, change: TargetChange, faults: FieldFaults): TargetFields {
  const fields = changeFields(type, blankFields(type), change, faults);
  if (fields.name === '') faults.add('name', 'This field is required.');
  if (fields.attributes.defaultPort === null)
    faults.add('attributes.default_port', 'This field is required.');
  checkFilters(fields, change, faults);
  checkRecording(fields.attributes, faults);
  return fields;
}

/** Adds the faults of a change that don't depend on the present target. */
export function checkChange(type: TargetType, change: TargetChange, faults: FieldFaults): void {
  if (change.name !== undefined && (change.name ?? '').trim() === '') {
    faults.add('name', 'This field cannot be set to empty.');
  }
  if (change.defaultPort === null && typePorts[type] === null) {
    faults.add('attributes.default_port', 'This field is required.');
  }
  const fields = changeFields(type, blankFields(type), change, faults);
  checkFilters(fields, change, faults);
}

/**
 * The fields of a target after a change.
 * @throws Refusal `invalid argument`, `failed precondition` (an address in addition to host sources)
 */
export function changedFields(target: Target, change: TargetChange, faults: FieldFaults): TargetFields {
  checkChange(target.type, change, faults);
  const fields = changeFields(target.type, target, change, faults);
  checkFilters(fields, change, faults);
  checkRecording(fields.attributes, faults);
  faults.refuseAny();
  if ((change.address ?? '') !== '' && target.hostSources.length > 0) {
    throw new Refusal(
      'failed precondition',
      'Cannot set an address: the target has host sources. Remove them first, or leave the address empty.',
    );
  }
  return fields;
}

function changeFields(
  type: TargetType,
  before: TargetFields,
  change: TargetChange,
  faults: FieldFaults,
): TargetFields {
  return {
    name: name(before.name, change, faults),
    description: description(before.description, change, faults),
    address: address(before.address, change, faults),
    sessionMaxSeconds: maxSeconds(before.sessionMaxSeconds, change, faults),
    sessionConnectionLimit: connectionLimit(before.sessionConnectionLimit, change, faults),
    workerFilter: filter('worker_filter', before.workerFilter, change.workerFilter, faults),
    egressWorkerFilter: filter(
      'egress_worker_filter',
      before.egressWorkerFilter,
      change.egressWorkerFilter,
      faults,
    ),
    ingressWorkerFilter: filter(
      'ingress_worker_filter',
      before.ingressWorkerFilter,
      change.ingressWorkerFilter,
      faults,
    ),
    attributes: attributes(type, before.attributes, change, faults),
  };
}

function name(before: string, { name: given }: TargetChange, faults: FieldFaults): string {
  if (given === undefined) return before;
  const trimmed = (given ?? '').trim();
  const fault = nameFault(trimmed);
  if (fault !== undefined) faults.add('name', fault);
  return trimmed;
}

function description(before: string, { description: given }: TargetChange, faults: FieldFaults): string {
  if (given === undefined) return before;
  const trimmed = (given ?? '').trim();
  const fault = descriptionFault(trimmed);
  if (fault !== undefined) faults.add('description', fault);
  return trimmed;
}

function address(before: string, { address: given }: TargetChange, faults: FieldFaults): string {
  if (given === undefined) return before;
  if ((given ?? '').trim() === '') return '';
  const parsed = parseAddress(given ?? '');
  if ('address' in parsed) return parsed.address;
  faults.add('address', parsed.fault);
  return before;
}

function maxSeconds(before: number, { sessionMaxSeconds: given }: TargetChange, faults: FieldFaults): number {
  if (given === undefined) return before;
  if (given === null) return defaultSessionMaxSeconds;
  if (given < 1) faults.add('session_max_seconds', 'This must be greater than zero.');
  if (given > maxInt32) faults.add('session_max_seconds', `This must be at most ${maxInt32}.`);
  return given;
}

function connectionLimit(
  before: number,
  { sessionConnectionLimit: given }: TargetChange,
  faults: FieldFaults,
): number {
  if (given === undefined) return before;
  if (given === null) return unlimitedConnections;
  if (given !== unlimitedConnections && given < 1) {
    faults.add('session_connection_limit', 'This must be -1 (unlimited) or greater than zero.');
  }
  if (given > maxInt32) faults.add('session_connection_limit', `This must be at most ${maxInt32}.`);
  return given;
}

function filter(
  field: string,
  before: string,
  given: string | null | undefined,
  faults: FieldFaults,
): string {
  if (given === undefined) return before;
  const trimmed = (given ?? '').trim();
  if (trimmed === '') return '';
  try {
    parseFilter(trimmed);
  } catch (error) {
    if (!(error instanceof FilterSyntaxError)) throw error;
    const kind = field === 'worker_filter' ? '' : `${field.slice(0, field.indexOf('_'))} `;
    faults.add(field, `Unable to successfully parse ${kind}filter expression: ${error.message}.`);
  }
  return trimmed;
}

/**
 * The deprecated filter excludes the two others. If a request combines them, the faults go to the fields that it
 * names.
 */
function checkFilters(fields: TargetFields, change: TargetChange, faults: FieldFaults): void {
  if (fields.workerFilter === '') return;
  const others = [
    ['egress_worker_filter', fields.egressWorkerFilter, change.egressWorkerFilter],
    ['ingress_worker_filter', fields.ingressWorkerFilter, change.ingressWorkerFilter],
  ] as const;
  for (const [field, value, given] of others) {
    if (value === '') continue;
    const culprit = (given ?? '') === '' ? 'worker_filter' : field;
    faults.add(culprit, `Cannot set worker_filter and ${field}; they are mutually exclusive fields.`);
  }
}

function attributes(
  type: TargetType,
  before: TargetAttributes,
  change: TargetChange,
  faults: FieldFaults,
): TargetAttributes {
  const defaultPort =
    change.defaultPort === null
      ? typePorts[type]
      : port('default_port', before.defaultPort, change.defaultPort, faults);
  return {
    defaultPort,
    defaultClientPort: port(
      'default_client_port',
      before.defaultClientPort,
      change.defaultClientPort,
      faults,
    ),
    storageBucketId: bucket(before.storageBucketId, change, faults),
    enableSessionRecording:
      change.enableSessionRecording === undefined
        ? before.enableSessionRecording
        : (change.enableSessionRecording ?? false),
  };
}

function port(
  field: string,
  before: number | null,
  given: number | null | undefined,
  faults: FieldFaults,
): number | null {
  if (given === undefined) return before;
  if (given === null) return null;
  if (given === 0) faults.add(`attributes.${field}`, 'This field cannot be set to zero.');
  else if (given < 0) faults.add(`attributes.${field}`, 'Value is less than minimum port number.');
  else if (given > 65_535) faults.add(`attributes.${field}`, 'Value is greater than maximum port number.');
  return given;
}

function bucket(before: string, { storageBucketId: given }: TargetChange, faults: FieldFaults): string {
  if (given === undefined) return before;
  const id = given ?? '';
  if (id !== '' && !/^sb_[0-9A-Za-z]{10}$/.test(id)) {
    faults.add('attributes.storage_bucket_id', 'Incorrectly formatted identifier.');
  }
  return id;
}

function checkRecording(fields: TargetAttributes, faults: FieldFaults): void {
  if (fields.enableSessionRecording && fields.storageBucketId === '') {
    faults.add('attributes.enable_session_recording', 'Recording sessions requires a storage bucket.');
  }
}
