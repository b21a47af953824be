import { expect, test } from 'vitest';
import { followSignal } from './follow-signal.ts';
import { Waiters } from './waiters.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a signal is followed once, in words, and no longer than wanted', async () => {
  const heard: string[] = [];
  const cancel = (message: string) => void heard.push(message);
  const controller = new AbortController();
  followSignal(controller.signal, cancel);
  const unfollow = followSignal(controller.signal, () => heard.push('never'));
  unfollow();
  controller.abort(new Error('enough'));
  expect(heard).toEqual(['enough']);
  followSignal(AbortSignal.abort('late'), cancel);
  followSignal(AbortSignal.abort('later'), cancel)();
  expect(heard).toEqual(['enough']);
  await settle();
  expect(heard).toEqual(['enough', 'late']);
  followSignal(undefined, cancel)();
});

test.each([
  [undefined, 'This operation was aborted'],
  ['', 'the run was aborted'],
  [{ message: '' }, 'the run was aborted'],
  [7, '7'],
  [
    {
      get message() {
        throw new Error('no');
      },
    },
    'the run was aborted',
  ],
])('a reason of any kind has words', async (reason, words) => {
  const heard: string[] = [];
  followSignal(AbortSignal.abort(reason), (message) => void heard.push(message));
  await settle();
  expect(heard).toEqual([words]);
});

test('those who wait are told once, and those who come later wait on', async () => {
  const waiters = new Waiters<number>();
  const first = waiters.wait();
  waiters.tell(1);
  const second = waiters.wait();
  expect(waiters.size).toBe(1);
  waiters.tell(2);
  expect(await Promise.all([first, second])).toEqual([1, 2]);
});
