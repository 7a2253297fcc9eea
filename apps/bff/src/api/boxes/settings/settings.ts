import type { BoxSettings, BoxSettingsFields } from '@gatehouse/api-types/console/box-accounts';
import { resource } from '#operation/operation.ts';
import { inBoxes } from '#shared/boxes/caller.ts';
import type { SettingsKind } from '#shared/boxes/record-kind.ts';
import { getRecord, updateRecord } from '#shared/boxes/records.ts';
import { readSettings, updateSettings } from '#upstreams/box-registry/management.ts';

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
