// The registered tools and what is known of their owners.
import { ToolRegistryError } from './errors.ts';
import { toolId } from './identity.ts';
import { createToolRecord, type ToolRecord } from './tool-record.ts';
import type { ToolDefinition, ToolOwner, ToolOwnerInfo, ToolRegistrar, ToolSource } from './types.ts';

export interface ToolTable {
  /** Counts every change; equal numbers mean equal tables. */
  readonly revision: number;
  readonly size: number;
  get(id: string): ToolRecord | undefined;
  all(): Iterable<ToolRecord>;
  /** How many tools have this plain name. */
  countOf(name: string): number;
  ownerInfo(source: ToolSource, owner: string): ToolOwnerInfo;
  /** Owners that have said why they have no tools, and have none. */
  absentOwners(): ToolOwner[];
  registrar(identity: { source: ToolSource; owner: string; info?: ToolOwnerInfo }): ToolRegistrar;
  clear(): void;
}

/** Creates an empty table. `changed` is told the ids of each change. */
export function createToolTable(changed: (change: { added: string[]; removed: string[] }) => void): ToolTable {
  const records = new Map<string, ToolRecord>();
  const owners = new Map<string, ToolOwner>();
  const counts = new Map<string, number>();
  let revision = 0;

  const update = (removed: readonly ToolRecord[], added: readonly ToolRecord[]) => {
    if (removed.length === 0 && added.length === 0) return;
    for (const record of removed) {
      if (records.delete(record.id)) counts.set(record.name, counts.get(record.name)! - 1);
      if (counts.get(record.name) === 0) counts.delete(record.name);
    }
    for (const record of added) {
      records.set(record.id, record);
      counts.set(record.name, (counts.get(record.name) ?? 0) + 1);
    }
    revision++;
    changed({ added: added.map((record) => record.id), removed: removed.map((record) => record.id) });
  };

  return {
    get revision() {
      return revision;
    },
    get size() {
      return records.size;
    },
    get: (id) => records.get(id),
    all: () => records.values(),
    countOf: (name) => counts.get(name) ?? 0,
    ownerInfo: (source, owner) => owners.get(toolId(source, owner, ''))?.info ?? {},
    absentOwners() {
      const absent = [...owners].filter(([, { info }]) => info.absence !== undefined);
      if (absent.length === 0) return [];
      const present = new Set([...records.values()].map(({ source, owner }) => toolId(source, owner, '')));
      return absent.filter(([key]) => !present.has(key)).map(([, owner]) => owner);
    },
    clear() {
      update([...records.values()], []);
      owners.clear();
    },
    registrar({ source, owner, info }) {
      const key = toolId(source, owner, '');
      let own = new Map<string, ToolRecord>();
      let disposed = false;
      const make = (definition: ToolDefinition): ToolRecord => {
        if (disposed) throw new ToolRegistryError('disposed', `the registrar of ${source}:${owner} is disposed`);
        refuseForeignIdentity(definition, source, owner);
        return createToolRecord(definition, { source, owner });
      };
      const refuse = (record: ToolRecord): never => {
        throw new ToolRegistryError(
          'duplicate-tool',
          `tool ${JSON.stringify(record.name)} of ${source}:${owner} is registered already`,
        );
      };
      const describe = (next: ToolOwnerInfo) => {
        owners.set(key, Object.freeze({ source, owner, info: Object.freeze({ ...next }) }));
        revision++;
      };
      if (info) describe(info);
      return {
        register(definition) {
          const record = make(definition);
          if (records.has(record.id)) refuse(record);
          own.set(record.id, record);
          update([], [record]);
          return () => {
            if (own.get(record.id) !== record) return;
            own.delete(record.id);
            update([record], []);
          };
        },
        replace(definitions) {
          const next = new Map<string, ToolRecord>();
          for (const definition of definitions) {
            const record = make(definition);
            if (next.has(record.id) || (records.has(record.id) && !own.has(record.id))) refuse(record);
            next.set(record.id, record);
          }
          const isSame = (record: ToolRecord, other: ToolRecord | undefined) =>
            other !== undefined && other.digest === record.digest;
          const removed = [...own.values()].filter((record) => !isSame(record, next.get(record.id)));
          const added = [...next.values()].filter((record) => !isSame(record, own.get(record.id)));
          // Equal definitions still bring new functions.
          for (const record of next.values()) if (own.has(record.id)) records.set(record.id, record);
          own = next;
          update(removed, added);
        },
        describe,
        dispose() {
          if (disposed) return;
          disposed = true;
          const removed = [...own.values()];
          own = new Map();
          if (info) owners.delete(key);
          update(removed, []);
        },
      };
    },
  };
}

function refuseForeignIdentity(definition: ToolDefinition, source: ToolSource, owner: string): void {
  if (typeof definition !== 'object' || definition === null) return;
  if (definition.source !== undefined && definition.source !== source) {
    throw new ToolRegistryError(
      'untrusted-owner',
      `tool ${JSON.stringify(definition.name)}: source ${JSON.stringify(definition.source)} is not that of its registrar (${source}:${owner})`,
      'ask the host for a registrar of that source: tools.registrar({ source, owner })',
    );
  }
  if (definition.owner !== undefined && definition.owner !== owner) {
    throw new ToolRegistryError(
      'untrusted-owner',
      `tool ${JSON.stringify(definition.name)}: owner ${JSON.stringify(definition.owner)} is not that of its registrar (${source}:${owner})`,
      'ask the host for a registrar of that owner: tools.registrar({ source, owner })',
    );
  }
}
