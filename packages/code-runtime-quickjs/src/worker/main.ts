// The program of a worker thread: takes one message at a time and does what it says. It blocks between messages, so a
// settlement reaches the guest without a turn of an event loop.
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { EngineParts } from '../engine-module.ts';
import { type FromWorker, SIGNAL_MESSAGES, SIGNAL_STOP, SIGNAL_TURNS, type ToWorker } from '../messages.ts';
import { QuickAnswers } from '../quick-answers.ts';
import { UnsentOutput } from '../unsent-output.ts';
import { Conductor } from './conductor.ts';

const { engine, signals, unsentUnits } = workerData as {
  engine: EngineParts;
  signals: Int32Array;
  unsentUnits: Uint16Array;
};
const port = parentPort!;

/** As long as most host calls take that do not wait for anything themselves, and as it takes a host to start its next run. */
const DELIVERY_LOOK_OUT_MS = 0.2;
const START_LOOK_OUT_MS = 0.3;
const LOOKS = 200;
const deliveries = new QuickAnswers();
const starts = new QuickAnswers();

const conductor = new Conductor({
  ...engine,
  send: (message: FromWorker) =>
    port.postMessage(
      message,
      typeof message !== 'string' && message[0] === 'parked' ? [message[2].buffer as ArrayBuffer] : [],
    ),
  unsent: new UnsentOutput(signals, unsentUnits),
  turnBegins: () => void Atomics.add(signals, SIGNAL_TURNS, 1),
  stopped: (run) => Atomics.load(signals, SIGNAL_STOP) === run,
});

for (;;) {
  const seen = Atomics.load(signals, SIGNAL_MESSAGES);
  const received = receiveMessageOnPort(port) as { message: ToWorker } | undefined;
  if (received) {
    conductor.take(received.message);
  } else {
    conductor.idle();
    if (conductor.hasRun) awaitMessage(seen, deliveries, DELIVERY_LOOK_OUT_MS);
    else awaitMessage(seen, starts, START_LOOK_OUT_MS);
  }
}

/** Blocks until there is a message after those that were `seen`. */
function awaitMessage(seen: number, quick: QuickAnswers, ms: number): void {
  if (quick.begin(ms)) {
    do {
      for (let look = 0; look < LOOKS; look++) {
        if (Atomics.load(signals, SIGNAL_MESSAGES) === seen) continue;
        quick.came();
        return;
      }
    } while (quick.lookedInVain());
  }
  Atomics.wait(signals, SIGNAL_MESSAGES, seen);
}
