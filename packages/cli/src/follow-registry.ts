// The registry of a composition whose rows may change: whichever is there, for a front that outlives it.
import type { FrontTools } from '@codeseam/mcp-server';
import type { ToolEvents, ToolRegistry } from '@codeseam/tools';
import type {} from '@codeseam/tools/cordis';
import type { Context } from 'cordis';

/** How long a request waits for the registry's row to be mounted anew. */
const MOUNT_MS = 5_000;

interface Subscription {
  /** Subscribes to a registry and gives the undo. */
  to(tools: ToolRegistry): () => void;
  undo?: () => void;
}

/**
 * Requests go to the registry of now, and wait a moment where its row is being changed. Listeners move along; those of
 * `tools/change` are told of the move. Everything ends with `ctx`.
 */
export function followRegistry(ctx: Context): FrontTools {
  // The effect below begins a moment later.
  let current: ToolRegistry | undefined = (ctx.get('tools') as { core: ToolRegistry } | undefined)?.core;
  let last = current;
  let waiting: (() => void)[] = [];
  let presented: ReturnType<ToolRegistry['presentationOf']> | undefined;
  const subscriptions = new Set<Subscription>();
  const onChange = new Set<ToolEvents['tools/change']>();

  ctx.inject(['tools'], (inner) => {
    inner.effect(() => {
      const tools: ToolRegistry = inner.tools.core;
      const isMove = tools !== last;
      current = tools;
      last = tools;
      for (const subscription of subscriptions) {
        subscription.undo?.();
        subscription.undo = subscription.to(tools);
      }
      for (const wake of waiting.splice(0)) wake();
      if (isMove) for (const listener of onChange) listener({ added: [], removed: [] });
      return () => {
        for (const subscription of subscriptions) subscription.undo?.();
        current = undefined;
      };
    }, 'follow tools');
  });

  const registry = async (): Promise<ToolRegistry> => {
    if (current === undefined) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, MOUNT_MS);
        waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
      waiting = waiting.slice(-1_000);
    }
    if (current !== undefined) return current;
    throw new Error('the registry of tools is not there: its row of the config was taken out or has failed');
  };

  return {
    presentationOf(scope) {
      // Between two registries the way in which tools are shown is that of the last one.
      if (current) presented = current.presentationOf(scope);
      return presented ?? { mode: 'code' };
    },
    prepareView: async (...args) => (await registry()).prepareView(...args),
    present: async (view) => (await registry()).present(view),
    execute: async (request) => (await registry()).execute(request),
    on(name, listener) {
      const subscription: Subscription = { to: (tools) => tools.on(name, listener) };
      if (current) subscription.undo = subscription.to(current);
      subscriptions.add(subscription);
      const change = name === 'tools/change' ? (listener as ToolEvents['tools/change']) : undefined;
      if (change) onChange.add(change);
      return () => {
        subscription.undo?.();
        subscriptions.delete(subscription);
        if (change) onChange.delete(change);
      };
    },
  };
}
