import { expect, test } from 'vitest';
import { globalText } from './global-text.ts';

const frozen = (id: number) => Object.freeze({ id, tags: Object.freeze(['ä', id]) });

test('a list of items that were given before has the text of the whole, and is not read again', () => {
  let reads = 0;
  const item = new Proxy(frozen(1), {
    get(target, key) {
      reads++;
      return Reflect.get(target, key);
    },
  });
  const items = [item, frozen(2), frozen(3)];
  for (const it of items) globalText('list', it);
  const before = reads;
  const list = Object.freeze(items);
  const whole = globalText('list', list);
  expect(reads).toBe(before);
  expect(whole.text).toBe('[{"id":1,"tags":["ä",1]},{"id":2,"tags":["ä",2]},{"id":3,"tags":["ä",3]}]');
  expect(globalText('list', list)).toBe(whole);
});

test('lists of other items, or of the same in another order, have other hashes', () => {
  const [one, two, three] = [frozen(1), frozen(2), frozen(3)];
  for (const it of [one, two, three]) globalText('list', it);
  const hashOf = (...items: object[]) => globalText('list', Object.freeze(items)).hash;
  const hashes = [hashOf(one, two), hashOf(two, one), hashOf(one), hashOf(one, two, three), hashOf()];
  expect(new Set(hashes).size).toBe(hashes.length);
});

test('a list that may still change, or whose items may, is read at each run', () => {
  const open = { id: 1 };
  const list = Object.freeze([open]);
  expect(globalText('list', list).text).toBe('[{"id":1}]');
  open.id = 2;
  expect(globalText('list', list).text).toBe('[{"id":2}]');
  const items = [frozen(1)];
  globalText('list', items[0]);
  expect(globalText('list', items)).not.toBe(globalText('list', items));
});

test('a list with members of its own beside the items is refused as ever', () => {
  const item = frozen(1);
  globalText('list', item);
  const list = Object.freeze(Object.assign([item], { more: 1 }));
  expect(() => globalText('list', list)).toThrow('globals.list');
});
