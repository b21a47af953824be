// Put before the program of a worker thread, this makes it a liar: among its own messages it sends forged ones, and
// its own a second time.
import { parentPort, workerData } from 'node:worker_threads';

/** What a thread forges. */
export interface Forging {
  readonly messages: readonly unknown[];
  /** How many of them go before and after each message of the thread's own. */
  readonly each: number;
  /** Send each of the thread's own messages again, at once and after the next one. */
  readonly repeat: boolean;
}

const { messages, each, repeat } = (workerData as { forging: Forging }).forging;
const port = parentPort!;
const post = port.postMessage.bind(port) as (message: unknown, transfer?: unknown) => void;
let next = 0;
let before: unknown;

function forge(): void {
  for (let count = 0; count < each && messages.length > 0; count++) post(messages[next++ % messages.length]);
}

port.postMessage = (message: unknown, transfer?: unknown) => {
  forge();
  post(message, repeat ? [] : transfer);
  if (repeat) {
    post(message);
    if (before !== undefined) post(before);
    before = message;
  }
  forge();
};
