// The laws of the scheduler, over random mixes of safe, unsafe, failing, slow, aborted and approval-awaiting calls.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { gate, makeTool, registryWith, settle } from '../testing/tools.ts';
import type { LedgerStatus, ToolCallOutcome } from '../types.ts';

type Kind = 'safe' | 'exclusive' | 'unset';

type Step =
  | { do: 'submit'; kind: Kind; asks: boolean }
  | { do: 'finish'; which: number; fails: boolean }
  | { do: 'answer'; which: number; allow: boolean }
  | { do: 'abort'; which: number }
  | { do: 'abort all' }
  | { do: 'resume' }
  | { do: 'abandon' };

const which = fc.nat(40);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      kind: fc.constantFrom<Kind>('safe', 'exclusive', 'unset'),
      asks: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    }),
  },
  { weight: 24, arbitrary: fc.record({ do: fc.constant('finish' as const), which, fails: fc.boolean() }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('answer' as const), which, allow: fc.boolean() }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('abort' as const), which }) },
  { weight: 1, arbitrary: fc.constant({ do: 'resume' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'abort all' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'abandon' as const }) },
);

/** One program under test, and all that can be seen of it from outside. */
function openWorld(dispatch: 'ordered' | 'parallel', maxInFlight: number) {
  const bodies = new Map<
    number,
    { promise: Promise<void>; resolve(): void; reject(error: unknown): void; ended: boolean }
  >();
  const questions = new Map<number, ReturnType<typeof gate<{ decision: 'allow' | 'deny' }>>>();
  const kinds: Kind[] = [];
  const startOrder: number[] = [];
  const running = new Set<number>();
  const faults: string[] = [];
  const events: string[] = [];
  const settled: ToolCallOutcome[][] = [];
  const controllers: AbortController[] = [];
  const all = new AbortController();
  let abandoned = false;

  const body = (n: number) => async () => {
    startOrder.push(n);
    running.add(n);
    if (abandoned) faults.push(`${n} started after the end`);
    if (running.size > maxInFlight) faults.push(`${running.size} at once`);
    const others = [...running].filter((other) => other !== n);
    const exclusive = (call: number) => (dispatch === 'ordered' ? kinds[call] !== 'safe' : kinds[call] === 'exclusive');
    if (dispatch === 'ordered' && others.length > 0 && [n, ...others].some(exclusive)) faults.push(`${n} not alone`);
    if (dispatch === 'parallel' && exclusive(n) && others.some(exclusive)) faults.push(`${n} beside another exclusive`);
    const held = { ...gate(), ended: false };
    bodies.set(n, held);
    try {
      await held.promise;
    } finally {
      running.delete(n);
    }
  };
  const execute = ({ n }: { n: number }) => body(n)();
  const tools = registryWith(
    [
      makeTool('safe', { execute, concurrency: 'safe' }),
      makeTool('exclusive', { execute, concurrency: () => 'exclusive' }),
      makeTool('unset', { execute }),
    ],
    {},
    {
      approval: () => ({
        request({ arguments: args }) {
          const question = gate<{ decision: 'allow' | 'deny' }>();
          questions.set((args as { n: number }).n, question);
          return question.promise;
        },
      }),
    },
  );
  tools.hook('preExecute', ({ arguments: args }) =>
    (args as { asks: boolean }).asks ? { decision: 'ask' } : undefined,
  );
  const log = (text: string) => {
    if (abandoned) faults.push(`told after the end: ${text}`);
    events.push(text);
  };
  tools.on('tools/dispatch-start', ({ callId }) => log(`start ${callId}`));
  tools.on('tools/dispatch', ({ callId }) => log(`end ${callId}`));
  tools.on('tools/result', ({ callId }) => log(`result ${callId}`));
  const program = tools.openProgram({
    view: tools.view({}),
    parent: { callId: 'leg1', rootCallId: 'root' },
    signal: all.signal,
    dispatch,
    maxInFlight,
  });

  return {
    program,
    faults,
    events,
    settled,
    startOrder,
    kinds,
    questions,
    pick: (n: number) => (kinds.length === 0 ? undefined : n % kinds.length),
    submit(kind: Kind, asks: boolean) {
      const n = kinds.push(kind) - 1;
      controllers.push(new AbortController());
      settled.push([]);
      void program
        .call(kind, { n, asks }, { signal: controllers[n]!.signal })
        .then((outcome) => settled[n]!.push(outcome));
    },
    finish(n: number, fails: boolean) {
      const held = bodies.get(n);
      if (!held || held.ended) return;
      held.ended = true;
      if (fails) held.reject(new Error('failed'));
      else held.resolve();
    },
    answer: (n: number, allow: boolean) => questions.get(n)?.resolve({ decision: allow ? 'allow' : 'deny' }),
    abort: (n: number) => controllers[n]?.abort(),
    abortAll: () => all.abort(),
    abandon() {
      program.abandon('the test ended it');
      abandoned = true;
    },
    openBodies: () => [...bodies].filter(([, held]) => !held.ended).map(([n]) => n),
  };
}

const FINAL = new Set<LedgerStatus>(['ok', 'failed', 'abandoned', 'unknown']);

async function play(dispatch: 'ordered' | 'parallel', maxInFlight: number, steps: readonly Step[]) {
  const world = openWorld(dispatch, maxInFlight);
  let legs = 1;
  for (const move of steps) {
    const n = 'which' in move ? world.pick(move.which) : undefined;
    if (move.do === 'submit') world.submit(move.kind, move.asks);
    else if (move.do === 'finish' && n !== undefined) world.finish(n, move.fails);
    else if (move.do === 'answer' && n !== undefined) world.answer(n, move.allow);
    else if (move.do === 'abort' && n !== undefined) world.abort(n);
    else if (move.do === 'abort all') world.abortAll();
    else if (move.do === 'resume') world.program.resume({ callId: `leg${++legs}`, rootCallId: 'root' });
    else if (move.do === 'abandon') world.abandon();
    await settle();
    checkOrder(world, dispatch);
  }
  // Everything that still can ends well.
  for (let round = 0; round < steps.length + 2; round++) {
    for (const n of world.openBodies()) world.finish(n, false);
    for (const n of world.questions.keys()) world.answer(n, true);
    await settle();
  }
  return world;
}

/** Bodies start in the order of submission; in parallel, only calls that waited for a person or for another exclusive one come later. */
function checkOrder({ startOrder, kinds, questions, faults }: ReturnType<typeof openWorld>, dispatch: string): void {
  const inOrder =
    dispatch === 'ordered' ? startOrder : startOrder.filter((n) => kinds[n] !== 'exclusive' && !questions.has(n));
  for (let i = 1; i < inOrder.length; i++)
    if (inOrder[i]! < inOrder[i - 1]!) faults.push(`${inOrder[i]} started after ${inOrder[i - 1]}`);
}

test.each(['ordered', 'parallel'] as const)(
  '%s: order, bounds, exactly one settlement, and silence after the end',
  async (dispatch) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { maxLength: 40 }),
        async (maxInFlight, steps) => {
          const world = await play(dispatch, maxInFlight, steps);
          expect(world.faults).toEqual([]);
          // Once, and only once.
          expect(world.settled.map((outcomes) => outcomes.length)).toEqual(world.kinds.map(() => 1));
          const { ledger } = world.program;
          expect(ledger.filter(({ status }) => !FINAL.has(status))).toEqual([]);
          ledger.forEach(({ status, callId }, n) => {
            const [outcome] = world.settled[n]!;
            expect(callId).toMatch(new RegExp(`^leg\\d+:code:${n + 1}$`));
            expect(outcome!.callId).toBe(callId);
            expect(outcome!.isError).toBe(status !== 'ok');
            const told = world.events
              .filter((event) => event.endsWith(` ${callId}`))
              .map((event) => event.split(' ')[0]);
            // A start has its end, a result stands between them, and a call that never started is silent.
            expect([[], ['start', 'end'], ['start', 'result', 'end']]).toContainEqual(told);
            if (status === 'ok') expect(told).toEqual(['start', 'result', 'end']);
          });
          expect(world.program.pending()).toEqual([]);
        },
      ),
      { numRuns: 120 },
    );
  },
);
