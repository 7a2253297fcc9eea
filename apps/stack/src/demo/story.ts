import { refused } from './desk.ts';
import type { Desk } from './desk.ts';

/** The IDs that one shift leaves for the next. */
interface Notes {
  /** IDs by the story's names for them. */
  readonly ids: Map<string, string>;
  /** @throws Error if there is no such ID */
  readonly noted: (name: string) => string;
}

/** A user at the console for some minutes. */
export interface Shift {
  readonly environment: 'production' | 'staging' | 'development';
  /** When the shift begins, in minutes before the demo starts. */
  readonly ago: number;
  readonly who: string;
  /** The address of the user's machine. */
  readonly address: string;
  /** Whether the user first enters a wrong password. */
  readonly mistyped?: boolean;
  /** @param pass advances the clocks by minutes */
  readonly work: (desk: Desk, pass: (minutes: number) => void, notes: Notes) => Promise<void>;
}

const hour = 60;
const day = 24 * hour;
const office = '10.20.4.';
const vpn = '10.64.12.';

/** The empty notes at the beginning of a story. */
export function freshNotes(): Notes {
  const ids = new Map<string, string>();
  return {
    ids,
    noted(name) {
      const id = ids.get(name);
      if (id === undefined) throw new Error(`nothing was noted of ${name}`);
      return id;
    },
  };
}

/** The users' actions at the console in the last days, the earliest first. */
export const story: readonly Shift[] = [
  {
    environment: 'production',
    ago: 3 * day + 2 * hour,
    who: 'ines.moreau',
    address: `${office}31`,
    async work(desk, pass, { ids }) {
      await desk.confirm();
      const noor = {
        login_name: 'noor.haddad',
        full_name: 'Noor Haddad',
        email: 'noor.haddad@contractor.example.com',
        roles: { access: 'operator' as const },
      };
      ids.set('noor', await desk.invite(noor));
      pass(6);
      await desk.create('Fulfilment', {
        name: 'migration-jump eu-west',
        description: 'Jump host for the stock database migration; removed at the end of the week',
        type: 'ssh',
        address: 'jump.fulfilment.eu-west.internal',
      });
    },
  },
  {
    environment: 'staging',
    ago: 2 * day + 7 * hour,
    who: 'tomasz.wrona',
    address: `${office}57`,
    async work(desk, pass) {
      await desk.edit('postgres-1 eu-west', { session_max_seconds: 3600 });
      pass(3);
      await desk.link('finance-postgres eu-west', ['Warehouse/ledger reader']);
      pass(8);
      await desk.authorize('postgres-1 eu-west');
    },
  },
  {
    environment: 'production',
    ago: 2 * day + 5 * hour,
    who: 'noor.haddad',
    address: `${vpn}140`,
    mistyped: true,
    async work(desk, pass) {
      await desk.authorize('migration-jump eu-west');
      pass(8);
      await desk.authorize('mysql-stock-1 eu-west');
    },
  },
  {
    environment: 'production',
    ago: 2 * day + 2 * hour,
    who: 'tomasz.wrona',
    address: `${office}57`,
    async work(desk, pass) {
      await desk.link('finance-postgres eu-west', ['Warehouse/ledger reader']);
      pass(4);
      await desk.edit('finance-postgres eu-west', { session_connection_limit: 2 });
    },
  },
  {
    environment: 'production',
    ago: day + 6 * hour,
    who: 'yuki.tanaka',
    address: `${vpn}18`,
    async work(desk, pass, { ids }) {
      ids.set('nightly', await desk.authorize('clickhouse eu-west', 'clickhouse-2 eu-west'));
      pass(9);
      await desk.cancel(ids.get('nightly') ?? '');
      await refused(
        'forbidden',
        desk.confirm().then(() => desk.invite(ownFriend)),
      );
    },
  },
  {
    environment: 'production',
    ago: 22 * hour,
    who: 'priya.raman',
    address: `${office}22`,
    async work(desk, pass, { ids }) {
      await desk.edit('payments-gateway eu-west', {
        description: "The acquirer's card terminal protocol. Certificate valid until spring.",
      });
      pass(2);
      ids.set('payments', await desk.authorize('payments-gateway eu-west'));
      pass(3);
      await desk.reveal('secret/commerce/checkout/acquirer');
      pass(4);
      await desk.patch('secret/commerce/checkout/acquirer', { key: 'sample-4410-0092-7713' });
    },
  },
  {
    environment: 'production',
    ago: 20 * hour,
    who: 'audit',
    address: `${office}200`,
    // The auditor is read-only.
    async work(desk, pass) {
      await refused('forbidden', desk.authorize('finance-postgres eu-west'));
      pass(2);
      await refused('forbidden', desk.drop('secret/data/warehouse/ledger reader'));
    },
  },
  {
    environment: 'production',
    ago: 18 * hour,
    who: 'oskar.lindqvist',
    address: `${office}88`,
    async work(desk, pass) {
      await desk.editBox('base/rocky-9', {
        short_description: 'Rocky Linux 9, as the distribution builds it',
      });
      pass(3);
      await desk.createBoxToken('build farm');
      pass(6);
      await desk.beginVersion('base/ubuntu-24.04', {
        version: '2026.11.0',
        description: 'November updates; images follow from the build farm.',
      });
    },
  },
  {
    environment: 'production',
    ago: 9 * hour,
    who: 'ines.moreau',
    address: `${office}31`,
    async work(desk, pass, { noted }) {
      await desk.confirm();
      await desk.changePerson(noted('noor'), { disabled: true });
      pass(2);
      await desk.remove('migration-jump eu-west');
      pass(3);
      await desk.drop('people/tomasz.wrona/scratch');
    },
  },
  {
    environment: 'development',
    ago: 8 * hour,
    who: 'mateus.lima',
    address: `${vpn}77`,
    async work(desk, pass) {
      await desk.edit('gpu eu-west', { session_max_seconds: 12 * 3600 });
      pass(1);
      await desk.authorize('gpu eu-west', 'gpu-3 eu-west');
    },
  },
  {
    environment: 'production',
    ago: 6 * hour,
    who: 'mateus.lima',
    address: `${vpn}77`,
    async work(desk, pass) {
      await desk.describeVersion(
        'commerce/checkout-dev',
        '3.2.0',
        "Vouchers, and the acquirer's new sandbox.",
      );
      pass(2);
      // A version without an image can't be released.
      await desk.beginVersion('commerce/label-printer', { version: '0.10.0', description: 'Paper jams.' });
      await refused('invalid-request', desk.releaseVersion('commerce/label-printer', '0.10.0'));
    },
  },
  {
    environment: 'production',
    ago: 5 * hour,
    who: 'tomasz.wrona',
    address: `${office}57`,
    async work(desk, pass) {
      await desk.authorize('bastion eu-west');
      pass(2);
      // A concurrent edit makes the first save a conflict; the second is based on the stored target.
      const seen = await desk.look('ldap-2 eu-west');
      await desk.edit('ldap-2 eu-west', { description: 'Directory, 2 of 2. Replica; read only.' });
      pass(3);
      await refused('conflict', desk.edit('ldap-2 eu-west', { description: 'Directory, replica.' }, seen));
      pass(1);
      await desk.edit('ldap-2 eu-west', { session_max_seconds: 4 * 3600 });
    },
  },
  {
    environment: 'production',
    ago: 80,
    who: 'tomasz.wrona',
    address: `${office}57`,
    async work(desk, pass) {
      await desk.edit('mysql-stock-1 eu-west', { session_max_seconds: 3600 });
      pass(2);
      // Ends before the demo starts, but not an hour before, when it would be deleted.
      await desk.authorize('mysql-stock-1 eu-west');
    },
  },
  {
    environment: 'production',
    ago: 50,
    who: 'lena.fischer',
    address: `${office}44`,
    async work(desk, pass) {
      await desk.authorize('postgres-1 eu-west');
      pass(4);
      await desk.authorize('kafka us-east', 'kafka-1 us-east');
      pass(3);
      await desk.edit('kafka us-east', { description: 'Broker. Rolling restart until tonight.' });
      pass(2);
      await desk.reveal('secret/commerce/checkout/orders-db');
      pass(3);
      await desk.restore('secret/commerce/checkout/orders-db', 3);
    },
  },
  {
    environment: 'production',
    ago: 31,
    who: 'mateus.lima',
    address: `${vpn}77`,
    async work(desk, pass, { ids }) {
      await desk.authorize('label-printer us-east');
      pass(3);
      ids.set('forgotten', await desk.authorize('edge-router-1 ap-south'));
    },
  },
  {
    environment: 'staging',
    ago: 21,
    who: 'priya.raman',
    address: `${office}22`,
    async work(desk, pass) {
      await desk.authorize('kafka us-east', 'kafka-2 us-east');
      pass(2);
      await desk.edit('kafka us-east', { session_connection_limit: 4 });
    },
  },
  {
    environment: 'production',
    ago: 15,
    who: 'ines.moreau',
    address: `${office}31`,
    async work(desk, pass, { noted }) {
      await desk.cancel(noted('forgotten'));
      pass(2);
      await desk.authorize('node ap-south', 'node-4 ap-south');
    },
  },
  {
    environment: 'production',
    ago: 8,
    who: 'priya.raman',
    address: `${office}22`,
    async work(desk, pass) {
      await desk.authorize('metrics us-east', 'metrics-2 us-east');
      pass(2);
      await desk.authorize('redis-sessions eu-west');
    },
  },
];

const ownFriend = {
  login_name: 'kai.tanaka',
  full_name: 'Kai Tanaka',
  roles: { access: 'operator' as const },
};
