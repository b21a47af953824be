// Put before the program of a run's thread, this makes it a liar: among its own messages it sends forged ones, and its
// own a second time.
import { MessagePort, workerData } from 'node:worker_threads';

/** What a thread forges. */
export interface Forging {
  readonly messages: readonly unknown[];
  /** How many of them go before and after each message of the thread's own. */
  readonly each: number;
  /** Send each of the thread's own messages again, at once and after the next one. */
  readonly repeat: boolean;
}

const { messages, each, repeat } = (workerData as { forging: Forging }).forging;
const post = MessagePort.prototype.postMessage as (this: MessagePort, message: unknown) => void;
let next = 0;
let before: unknown;

MessagePort.prototype.postMessage = function (this: MessagePort, message: unknown): void {
  const send = (it: unknown) => post.call(this, it);
  const forge = () => {
    for (let count = 0; count < each && messages.length > 0; count++) send(messages[next++ % messages.length]);
  };
  forge();
  send(message);
  if (repeat) {
    send(message);
    if (before !== undefined) send(before);
    before = message;
  }
  forge();
};
