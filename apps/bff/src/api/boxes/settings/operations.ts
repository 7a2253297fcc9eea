/** Settings of the registry. */
import type { BoxSettings, BoxSettingsFields } from '@gatehouse/api-types/console/box-accounts';
import { getRecord, updateRecord, type RecordKind } from '#shared/boxes/records.ts';
import { readSettings, updateSettings } from '#upstreams/box-registry/management.ts';

const settings: RecordKind<object, BoxSettings, BoxSettingsFields> = {
  kind: 'box-settings',
  names: [],
  moved: (at) => at,
  read: (caller) => readSettings(caller),
  update: (caller, _at, changes) => updateSettings(caller, changes),
  remove: () => Promise.reject(new TypeError('settings are not removed')),
};

export const getBoxSettings = getRecord(settings);
export const updateBoxSettings = updateRecord(settings);
