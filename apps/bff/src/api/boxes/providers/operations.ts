import { resource } from '#operation/operation.ts';
import { inBoxes } from '#shared/boxes/caller.ts';
import { providers } from '#shared/boxes/kinds.ts';
import { createRecord, deleteRecord, getRecord, updateRecord } from '#shared/boxes/records.ts';
import { prepareBoxDownload } from './prepare-box-download.ts';

export const providerOperations = resource(inBoxes, {
  'boxProviders.get': getRecord(providers),
  'boxProviders.create': createRecord(providers),
  'boxProviders.update': updateRecord(providers),
  'boxProviders.delete': deleteRecord(providers),
  'boxProviders.prepareDownload': prepareBoxDownload,
});
