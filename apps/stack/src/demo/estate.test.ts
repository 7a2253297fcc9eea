import { describe, expect, it } from 'vitest';
import { sampleEstate } from './estate.ts';
import { seededRandom } from './random.ts';

const regions = ['eu-west', 'us-east', 'ap-south'];
const projects = sampleEstate(seededRandom(11), regions).flatMap((organization) => organization.projects);
const targets = projects.flatMap((project) => project.targets);

describe('the sample estate', () => {
  it('is equal for equal seeds, and differs between seeds', () => {
    expect(sampleEstate(seededRandom(11), regions)).toEqual(sampleEstate(seededRandom(11), regions));
    expect(sampleEstate(seededRandom(12), regions)).not.toEqual(sampleEstate(seededRandom(11), regions));
  });

  it('has about a third of its targets on host sets, and an address for each of the others', () => {
    const onSets = targets.filter(({ links }) => links.hostSets.length > 0);
    expect(onSets.length / targets.length).toBeGreaterThan(0.25);
    expect(onSets.length / targets.length).toBeLessThan(0.4);
    for (const { target, links } of targets) {
      expect(target.address === undefined, target.name).toBe(links.hostSets.length > 0);
    }
  });

  it('links targets to records of their project, and uses every credential and every set', () => {
    for (const { name, hostSets, credentials, targets: own } of projects) {
      const linked = (of: readonly ('hostSets' | 'brokered' | 'injected' | 'application')[]) =>
        [...new Set(own.flatMap(({ links }) => of.flatMap((kind) => links[kind])))].sort();
      expect(linked(['hostSets']), name).toEqual(hostSets.map((set) => set.name).sort());
      expect(linked(['brokered', 'injected', 'application']), name).toEqual(
        credentials.map((credential) => credential.name).sort(),
      );
    }
  });

  it('has credentials of every type and purpose, whose values are recognizable as samples', () => {
    const credentials = projects.flatMap((project) => project.credentials);
    expect(new Set(credentials.map(({ type }) => type))).toEqual(
      new Set(['username_password', 'username_password_domain', 'password', 'ssh_private_key', 'json']),
    );
    for (const kind of ['brokered', 'injected', 'application'] as const) {
      expect(targets.some(({ links }) => links[kind].length > 0)).toBe(true);
    }
    for (const { name, attributes } of credentials) {
      const { username, domain, private_key: key, ...secrets } = attributes;
      const inside = (typeof key === 'string' ? key : '').replaceAll(/-----.*?-----|\n/g, '');
      const said = `${JSON.stringify(secrets)} ${Buffer.from(inside, 'base64').toString()}`;
      expect(said, `${name} of ${String(username)} ${String(domain)}`).toMatch(/sample-\d{4}|sample data/);
    }
  });

  it('gives unique names to the targets of a project, and to hosts', () => {
    for (const { targets: own, hostSets } of projects) {
      const names = [
        own.map(({ target }) => target.name),
        hostSets.flatMap(({ hosts }) => hosts.map(({ name }) => name)),
      ];
      for (const list of names) expect(new Set(list).size).toBe(list.length);
    }
  });
});
