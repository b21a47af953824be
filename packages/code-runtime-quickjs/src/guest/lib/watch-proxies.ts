// Remembers which objects are proxies, so that the console can show them without running their traps.
import { uncurry } from '@codeseam/code-runtime/guest';

const { apply, construct, defineProperty } = Reflect;
const RealProxy = Proxy;
const realRevocable = Proxy.revocable;
const proxies = new WeakSet<object>();
const has = uncurry(WeakSet.prototype.has) as (set: WeakSet<object>, value: object) => boolean;
const add = uncurry(WeakSet.prototype.add) as (set: WeakSet<object>, value: object) => unknown;

/** Whether a program made this object with `Proxy`. */
export function isWatchedProxy(value: object): boolean {
  return has(proxies, value);
}

/** Puts a `Proxy` in the place of the engine's that behaves the same. */
export function watchProxies(): void {
  const watched = new RealProxy(RealProxy, {
    __proto__: null,
    construct(target: typeof Proxy, args: [object, ProxyHandler<object>]) {
      const made: object = construct(target, args);
      add(proxies, made);
      return made;
    },
  } as ProxyHandler<typeof Proxy>);
  add(proxies, watched);
  const revocable = {
    revocable(...args: unknown[]) {
      const made = apply(realRevocable, RealProxy, args) as { proxy: object };
      add(proxies, made.proxy);
      return made;
    },
  }.revocable;
  defineProperty(RealProxy, 'revocable', { value: revocable, writable: true, enumerable: false, configurable: true });
  defineProperty(globalThis, 'Proxy', { value: watched, writable: true, enumerable: false, configurable: true });
}
