// Views: what one run may use, cached by what they are made of.
import { createHash } from 'node:crypto';
import { nearestNames } from '@codeseam/nearest-names';
import { finish, type Steps } from '@codeseam/schema-types';
import { ToolRegistryError } from './errors.ts';
import { compareText } from './identity.ts';
import type { Restriction } from './restrictions.ts';
import { runInSlices, STEP } from './run-in-slices.ts';
import { createToolRecord, type ToolRecord, toolOf } from './tool-record.ts';
import type { ToolTable } from './tool-table.ts';
import type { ClientTools, Tool, ToolOwner, ToolScope, ToolView } from './types.ts';
import { alternateName, assignWireNames } from './wire-names.ts';

/** Everything of a view but its scope: shared by all scopes that see the same tools. */
interface ViewBody {
  readonly tools: readonly Tool[];
  readonly owners: readonly ToolOwner[];
  readonly fingerprint: string;
  find(ref: string): Tool | undefined;
  suggest(ref: string): string[];
}

export interface ViewBuilder {
  view(scope: ToolScope, clientTools?: ClientTools): ToolView;
  /** Makes the coming `view` of this scope cheap, without holding the event loop; undefined where it is cheap already. */
  prepare(scope: ToolScope, clientTools?: ClientTools): Promise<void> | undefined;
  /** The record of a visible tool, as of now. */
  visibleRecord(id: string, scope: ToolScope, clientTools?: ClientTools): ToolRecord | undefined;
}

/** How many sets of tools are kept; scopes come and go, sets of tools are few. */
const KEPT_BODIES = 32;
/** Fewer tools than this are a matter of a millisecond. */
const WORTH_SLICING = 500;
/** A table that changes all the time is looked at as it is. */
const MOST_PREPARATIONS = 3;

/** Creates the builder of views over a table and the restrictions in force. */
export function createViewBuilder(table: ToolTable, restrictions: () => readonly Restriction[]): ViewBuilder {
  const bodies = new Map<string, ViewBody>();
  const preparing = new Map<string, Promise<void>>();
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

  const plan = (scope: ToolScope, clientTools: ClientTools | undefined) => {
    const clients = clientTools && clientRecords(clientTools);
    const disabled = scope.disableTools === true;
    const applying = disabled ? [] : restrictions().filter((restriction) => restriction.applies(scope));
    const key = disabled
      ? 'none'
      : `${table.revision}|${applying.map((restriction) => restriction.serial).join(',')}|${clients?.serial ?? ''}`;
    const build = () => {
      const records = disabled ? [] : [...table.all(), ...(clients?.records.values() ?? [])];
      return buildBody(records, applying, ambiguity(clients?.records), table);
    };
    return { key, build };
  };

  const keep = (key: string, body: ViewBody) => {
    bodies.delete(key);
    bodies.set(key, body);
    if (bodies.size > KEPT_BODIES) bodies.delete(bodies.keys().next().value!);
    return body;
  };

  const prepareInSlices = async (scope: ToolScope, clientTools: ClientTools | undefined) => {
    for (let round = 0; round < MOST_PREPARATIONS; round++) {
      const { key, build } = plan(scope, clientTools);
      if (bodies.has(key)) return;
      let making = preparing.get(key);
      if (!making) {
        making = runInSlices(build()).then((body) => void keep(key, body));
        preparing.set(key, making);
      }
      try {
        await making;
      } finally {
        preparing.delete(key);
      }
    }
  };

  return {
    view(scope, clientTools) {
      const frozen = Object.freeze({ ...scope });
      const { key, build } = plan(frozen, clientTools);
      return viewOf(keep(key, bodies.get(key) ?? finish(build())), frozen, clientTools);
    },
    prepare(scope, clientTools) {
      if (table.size < WORTH_SLICING || bodies.has(plan(scope, clientTools).key)) return undefined;
      return prepareInSlices(scope, clientTools);
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
    fingerprint: body.fingerprint,
    find: body.find,
    suggest: body.suggest,
  });
}

function* buildBody(
  candidates: readonly ToolRecord[],
  applying: readonly Restriction[],
  isAmbiguous: (name: string) => boolean,
  table: ToolTable,
): Steps<ViewBody> {
  const records: ToolRecord[] = [];
  for (const [at, record] of candidates.entries()) {
    if (at % STEP === 0) yield;
    if (isVisible(record, applying, isAmbiguous)) records.push(record);
  }
  yield;
  records.sort((a, b) => compareText(a.order, b.order));
  const names = yield* assignWireNames(records);
  const shown: Tool[] = [];
  for (const [at, record] of records.entries()) {
    if (at % STEP === 0) yield;
    shown.push(toolOf(record, names.get(record.id)!));
  }
  const tools = Object.freeze(shown);
  yield;
  const owners = Object.freeze(ownersOf(records, table));
  const fingerprint = yield* fingerprintOf(records, names);
  const byId = new Map<string, Tool>();
  const byWireName = new Map<string, Tool>();
  const byName = new Map<string, Tool[]>();
  for (const [at, tool] of tools.entries()) {
    if (at % STEP === 0) yield;
    byId.set(tool.id, tool);
    byWireName.set(tool.wireName, tool);
    const group = byName.get(tool.name);
    if (group) group.push(tool);
    else byName.set(tool.name, [tool]);
  }
  return {
    tools,
    owners,
    fingerprint,
    find(ref) {
      const named = byName.get(ref);
      return (
        byId.get(ref) ??
        byWireName.get(ref) ??
        (named?.length === 1 ? named[0] : undefined) ??
        (ref.includes('__') ? findAlternate(ref, tools, byWireName) : undefined)
      );
    },
    suggest(ref) {
      const known = tools.flatMap((tool) => [tool.id, tool.wireName, tool.name]);
      const ids = nearestNames(ref, known, 9).map(
        (name) => byId.get(name) ?? byWireName.get(name) ?? byName.get(name)![0]!,
      );
      const same = byName.get(ref) ?? [];
      return [...new Set([...same, ...ids].map((tool) => tool.id))].slice(0, 3);
    },
  };
}

/** A tool whose plain name a control tool has on the wire goes by another one there. */
function findAlternate(ref: string, tools: readonly Tool[], byWireName: ReadonlyMap<string, Tool>): Tool | undefined {
  return tools.find((tool) => tool.source !== 'mcp' && alternateName(tool, (name) => byWireName.has(name)) === ref);
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

function* fingerprintOf(records: readonly ToolRecord[], names: ReadonlyMap<string, string>): Steps<string> {
  const hash = createHash('sha256');
  let text = '';
  for (const [at, record] of records.entries()) {
    text += `${names.get(record.id)} ${record.digest}\n`;
    if (at % STEP !== 0) continue;
    hash.update(text);
    text = '';
    yield;
  }
  return hash.update(text).digest('hex').slice(0, 32);
}
