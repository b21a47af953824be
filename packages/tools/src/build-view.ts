// Views: what one run may use, cached by what they are made of.
import { hash } from 'node:crypto';
import { nearestNames } from '@codeseam/nearest-names';
import { ToolRegistryError } from './errors.ts';
import { compareText } from './identity.ts';
import type { Restriction } from './restrictions.ts';
import { createToolRecord, type ToolRecord, toolOf } from './tool-record.ts';
import type { ToolTable } from './tool-table.ts';
import type { ClientTools, Tool, ToolOwner, ToolScope, ToolView } from './types.ts';
import { alternateName, assignWireNames } from './wire-names.ts';

/** Everything of a view but its scope: shared by all scopes that see the same tools. */
interface ViewBody {
  readonly tools: readonly Tool[];
  readonly owners: readonly ToolOwner[];
  readonly fingerprint: () => string;
  find(ref: string): Tool | undefined;
  suggest(ref: string): string[];
}

export interface ViewBuilder {
  view(scope: ToolScope, clientTools?: ClientTools): ToolView;
  /** The record of a visible tool, as of now. */
  visibleRecord(id: string, scope: ToolScope, clientTools?: ClientTools): ToolRecord | undefined;
}

/** How many sets of tools are kept; scopes come and go, sets of tools are few. */
const KEPT_BODIES = 32;

/** Creates the builder of views over a table and the restrictions in force. */
export function createViewBuilder(table: ToolTable, restrictions: () => readonly Restriction[]): ViewBuilder {
  const bodies = new Map<string, ViewBody>();
  const ofClients = new WeakMap<ClientTools, { records: ReadonlyMap<string, ToolRecord>; serial: number }>();
  let clientSerials = 0;

  const clientRecords = (clientTools: ClientTools) => {
    const known = ofClients.get(clientTools);
    if (known) return known;
    const made = { records: createClientRecords(clientTools), serial: ++clientSerials };
    ofClients.set(clientTools, made);
    return made;
  };

  /** Whether several tools have a plain name, of those that are registered and those that the client brings. */
  const ambiguity = (ofClient: ReadonlyMap<string, ToolRecord> | undefined) => (name: string) => {
    let count = table.countOf(name);
    for (const record of ofClient?.values() ?? []) if (record.name === name) count++;
    return count > 1;
  };

  return {
    view(scope, clientTools) {
      const frozen = Object.freeze({ ...scope });
      const applying =
        scope.disableTools === true ? [] : restrictions().filter((restriction) => restriction.applies(frozen));
      const clients = clientTools && clientRecords(clientTools);
      const key =
        scope.disableTools === true
          ? 'none'
          : `${table.revision}|${applying.map((restriction) => restriction.serial).join(',')}|${clients?.serial ?? ''}`;
      let body = bodies.get(key);
      if (body) bodies.delete(key);
      else {
        const records = scope.disableTools === true ? [] : [...table.all(), ...(clients?.records.values() ?? [])];
        body = buildBody(
          records.filter((record) => isVisible(record, applying, ambiguity(clients?.records))),
          table,
        );
      }
      bodies.set(key, body);
      if (bodies.size > KEPT_BODIES) bodies.delete(bodies.keys().next().value!);
      return viewOf(body, frozen, clientTools);
    },
    visibleRecord(id, scope, clientTools) {
      if (scope.disableTools === true) return undefined;
      const record = (clientTools && clientRecords(clientTools).records.get(id)) ?? table.get(id);
      if (!record) return undefined;
      return isVisible(
        record,
        restrictions().filter((restriction) => restriction.applies(scope)),
        ambiguity(clientTools && clientRecords(clientTools).records),
      )
        ? record
        : undefined;
    },
  };
}

function isVisible(
  record: ToolRecord,
  restrictions: readonly Restriction[],
  isAmbiguous: (name: string) => boolean,
): boolean {
  return (
    record.definition.control !== true && restrictions.every((restriction) => restriction.permits(record, isAmbiguous))
  );
}

function createClientRecords(clientTools: ClientTools): ReadonlyMap<string, ToolRecord> {
  const { clientId, tools } = clientTools;
  if (typeof clientId !== 'string' || clientId === '' || !Array.isArray(tools)) {
    throw new ToolRegistryError('invalid-option', 'clientTools must be { clientId, tools }');
  }
  const records = new Map<string, ToolRecord>();
  for (const definition of tools) {
    const record = createToolRecord(definition, { source: 'client', owner: clientId });
    if (records.has(record.id)) {
      throw new ToolRegistryError(
        'duplicate-tool',
        `the client ${JSON.stringify(clientId)} brings ${JSON.stringify(record.name)} twice`,
      );
    }
    records.set(record.id, record);
  }
  return records;
}

function viewOf(body: ViewBody, scope: ToolScope, clientTools: ClientTools | undefined): ToolView {
  return Object.freeze({
    scope,
    tools: body.tools,
    owners: body.owners,
    ...(clientTools ? { clientTools } : {}),
    get fingerprint() {
      return body.fingerprint();
    },
    find: body.find,
    suggest: body.suggest,
  });
}

function buildBody(records: ToolRecord[], table: ToolTable): ViewBody {
  records.sort((a, b) => compareText(a.order, b.order));
  const names = assignWireNames(records);
  const tools = Object.freeze(records.map((record) => toolOf(record, names.get(record.id)!)));
  // Made when they are first asked for: a view is built at every change, and few are asked for single tools.
  const byId = once(() => new Map(tools.map((tool) => [tool.id, tool])));
  const byWireName = once(() => new Map(tools.map((tool) => [tool.wireName, tool])));
  const byName = once(() => groupByName(tools));
  return {
    tools,
    owners: Object.freeze(ownersOf(records, table)),
    fingerprint: once(() => fingerprintOf(records, names)),
    find(ref) {
      const named = byName().get(ref);
      return (
        byId().get(ref) ??
        byWireName().get(ref) ??
        (named?.length === 1 ? named[0] : undefined) ??
        (ref.includes('__') ? findAlternate(ref, tools, byWireName()) : undefined)
      );
    },
    suggest(ref) {
      const known = tools.flatMap((tool) => [tool.id, tool.wireName, tool.name]);
      const ids = nearestNames(ref, known, 9).map(
        (name) => byId().get(name) ?? byWireName().get(name) ?? byName().get(name)![0]!,
      );
      const same = byName().get(ref) ?? [];
      return [...new Set([...same, ...ids].map((tool) => tool.id))].slice(0, 3);
    },
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A tool whose plain name a control tool has on the wire goes by another one there. */
function findAlternate(ref: string, tools: readonly Tool[], byWireName: ReadonlyMap<string, Tool>): Tool | undefined {
  return tools.find((tool) => tool.source !== 'mcp' && alternateName(tool, (name) => byWireName.has(name)) === ref);
}

function groupByName(tools: readonly Tool[]): Map<string, Tool[]> {
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) {
    const group = groups.get(tool.name);
    if (group) group.push(tool);
    else groups.set(tool.name, [tool]);
  }
  return groups;
}

function ownersOf(records: readonly ToolRecord[], table: ToolTable): ToolOwner[] {
  const owners = new Map<string, ToolOwner>();
  let last: ToolRecord | undefined;
  for (const record of records) {
    const { source, owner } = record;
    // Sorted records of one owner follow each other.
    if (last?.source !== source || last.owner !== owner) {
      const key = `${source}:${owner}`;
      if (!owners.has(key)) owners.set(key, Object.freeze({ source, owner, info: table.ownerInfo(source, owner) }));
    }
    last = record;
  }
  return [...owners.entries()].sort(([a], [b]) => compareText(a, b)).map(([, owner]) => owner);
}

function fingerprintOf(records: readonly ToolRecord[], names: ReadonlyMap<string, string>): string {
  let text = '';
  for (const record of records) text += `${names.get(record.id)} ${record.digest}\n`;
  return hash('sha256', text, 'hex').slice(0, 32);
}
