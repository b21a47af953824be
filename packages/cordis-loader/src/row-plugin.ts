// One row that is mounted: its fiber, its state, and why it failed or waits.
import type { Context, Fiber } from 'cordis';
import { LoaderError, messageOf } from './errors.ts';
import { OWNER } from './owner.ts';
import type { ResolvedPlugin } from './resolve-plugin.ts';

/**
 * - `disabled`: switched off in the config
 * - `loading`: its plugin is starting
 * - `waiting`: a service that its plugin injects is not there
 * - `active`: running
 * - `failed`: see `error`
 * - `stopped`: its plugin ended by itself
 */
export type RowState = 'disabled' | 'loading' | 'waiting' | 'active' | 'failed' | 'stopped';

// cordis declares its states as a const enum, which isolated modules cannot read.
const PENDING = 0;
const LOADING = 1;
const ACTIVE = 2;
const FAILED = 3;
const UNLOADING = 5;

/** A row's plugin in its context. */
export class RowPlugin {
  readonly url: string;
  readonly fiber: Fiber;
  private failure: unknown;

  /** Mounts the plugin; its registrations are owned by `id`. Throws what cordis refuses. */
  constructor(ctx: Context, id: string, resolved: ResolvedPlugin, config: unknown) {
    this.url = resolved.url;
    const scope = ctx.extend({ [OWNER]: id });
    // What cordis gives back is thenable; the fiber itself is not.
    this.fiber = scope.plugin(resolved.plugin as never, config as never).ctx.fiber;
    // The loader alone ends rows, one after the other; left to cordis they would all end at once.
    ctx.fiber._disposables.delete(this.fiber.dispose);
  }

  get state(): RowState {
    if (this.failure !== undefined || this.fiber.state === FAILED) return 'failed';
    if (this.fiber.uid === null) return 'stopped';
    if (this.fiber.state === ACTIVE) return 'active';
    if (this.fiber.state === LOADING || this.fiber.state === UNLOADING || this.fiber.inertia) return 'loading';
    return this.fiber.state === PENDING ? 'waiting' : 'stopped';
  }

  /** The services that the plugin injects and nobody provides. */
  get missing(): string[] {
    if (this.state !== 'waiting') return [];
    return Object.keys(this.fiber.inject).filter((name) => this.fiber.ctx.get(name) === undefined);
  }

  /** What the plugin failed with, as an error that names it. */
  error(id: string, name: string): LoaderError | undefined {
    if (this.failure === undefined) return undefined;
    if (this.failure instanceof LoaderError) return this.failure;
    const message = `row ${id}: ${name} failed to start: ${messageOf(this.failure)}`;
    return new LoaderError('PLUGIN_FAILED', message, { row: id, cause: this.failure });
  }

  /** Resolves when the plugin is neither starting nor stopping. Never rejects. */
  async settled(): Promise<void> {
    try {
      await this.fiber.await();
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
  }

  async dispose(): Promise<void> {
    await this.fiber.dispose();
  }
}
