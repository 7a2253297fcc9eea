/** The wire fields that records of all kinds have in common. */
import type { ScopeSummary } from '@gatehouse/api-types/console/scopes';

interface WireRecord {
  readonly id: string;
  readonly scope_id: string;
  readonly scope?: ScopeSummary | undefined;
  readonly name: string;
  readonly description: string;
  readonly created_time: string;
  readonly updated_time: string;
  readonly version: number;
  readonly type: string;
  readonly authorized_actions: string[];
}

/** The fields that every record of the contract has. */
export function commonFieldsOf(from: WireRecord) {
  return {
    id: from.id,
    revision: String(from.version),
    scope: scopeOf(from),
    type: from.type,
    name: from.name,
    description: from.description,
    created_time: from.created_time,
    updated_time: from.updated_time,
    authorized_actions: from.authorized_actions,
  };
}

/** The scope's summary, which has only an ID if the controller sends no summary. */
export function scopeOf(from: Pick<WireRecord, 'scope' | 'scope_id'>): ScopeSummary {
  return from.scope ?? { id: from.scope_id, type: '', name: '', description: '', parent_scope_id: '' };
}
