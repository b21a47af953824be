// The thread's end of the run's port. It keeps the thread alive only while the program waits for the host.
import type { MessagePort } from 'node:worker_threads';
import { uncurry } from '@codeseam/code-runtime/guest';
import { type JsonValue, stringifyJson } from '@codeseam/lossless-json';

export interface ThreadPort {
  /** Sends a message: a kind, then its parts. A list, since a program may break what spreading one needs. */
  send(parts: readonly unknown[]): void;
  /** Says how many answers of the host the program waits for. */
  expect(answers: number): void;
}

/** Wraps a port; texts of the host go to `onText`. */
export function openThreadPort(port: MessagePort, onText: (text: string) => void): ThreadPort {
  const postMessage = uncurry(port.postMessage);
  const ref = uncurry(port.ref);
  const unref = uncurry(port.unref);
  port.on('message', (data: unknown) => {
    if (typeof data === 'string') onText(data);
  });
  unref(port);
  let awake = false;
  return {
    send: (parts) => postMessage(port, stringifyJson(parts as JsonValue[])),
    expect(answers) {
      if (awake === answers > 0) return;
      awake = answers > 0;
      if (awake) ref(port);
      else unref(port);
    },
  };
}
