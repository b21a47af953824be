// The last events of a session, so that a client whose stream broke can take up where it was.
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server';

const MAX_EVENTS = 500;
const MAX_CHARS = 4 * 1024 * 1024;

/** A store of one session: its newest 500 events, of 4 Mi characters at most. */
export function createEventStore(): EventStore {
  const events: { id: string; streamId: string; message: JSONRPCMessage; chars: number }[] = [];
  let counter = 0;
  let chars = 0;
  return {
    async storeEvent(streamId, message) {
      counter += 1;
      const event = { id: String(counter), streamId, message, chars: JSON.stringify(message).length };
      events.push(event);
      chars += event.chars;
      while (events.length > MAX_EVENTS || (chars > MAX_CHARS && events.length > 1)) chars -= events.shift()!.chars;
      return event.id;
    },
    async getStreamIdForEventId(eventId) {
      return events.find((event) => event.id === eventId)?.streamId;
    },
    async replayEventsAfter(lastEventId, { send }) {
      const at = events.findIndex((event) => event.id === lastEventId);
      if (at === -1) throw new Error('that event is not kept any more');
      const { streamId } = events[at]!;
      for (const event of events.slice(at + 1)) if (event.streamId === streamId) await send(event.id, event.message);
      return streamId;
    },
  };
}
