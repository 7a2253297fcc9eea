import type { BoxSettings, BoxSettingsFields } from '@gatehouse/api-types/console/box-accounts';
import { resource } from '#operation/operation.ts';
import { readSettings, updateSettings } from '#upstreams/box-registry/management.ts';
import { inBoxes } from '../caller.ts';
import type { SettingsKind } from '../record-kind.ts';
import { getRecord, updateRecord } from '../records.ts';

const settings: SettingsKind<BoxSettings, BoxSettingsFields> = {
  kind: 'box-settings',
  names: [],
  moved: (at) => at,
  read: (caller) => readSettings(caller),
  update: (caller, _at, changes) => updateSettings(caller, changes),
};

export const boxSettingsOperations = resource(inBoxes, {
  'boxSettings.get': getRecord(settings),
  'boxSettings.update': updateRecord(settings),
});
