// The control tools of a transport as records: they lie outside registration, restriction and catalogs.
import { createToolRecord, type ToolRecord } from './tool-record.ts';
import type { ToolDefinition, ToolTransport, ToolView } from './types.ts';

/** Creates the lookup of a transport's control tools for a view; a definition is checked once. */
export function createControlRecords(): (transport: ToolTransport, view: ToolView) => ToolRecord[] {
  const known = new WeakMap<ToolDefinition, ToolRecord>();
  return (transport, view) =>
    transport.controlTools(view).map((definition) => {
      let record = known.get(definition);
      if (!record) {
        const id = `control:${transport.name}:${definition.name}`;
        record = createToolRecord(definition, { source: 'host', owner: transport.name, id });
        known.set(definition, record);
      }
      return record;
    });
}
