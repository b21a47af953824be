// What a run begins with: a program, or a frozen run.
import type { CodeSettlement } from '@codeseam/code-runtime';
import type { FrozenState } from './frozen-run.ts';

/** The first turn of a run. */
export interface FirstTurn {
  readonly program: string;
  readonly language: 'javascript' | 'typescript' | undefined;
  /** JSON text of the guest's `RunSetup`. */
  readonly setup: string;
}

export interface FrozenOrigin {
  readonly image: Uint8Array;
  /** The hash of the base image that it is a difference from. */
  readonly base: string;
  readonly state: FrozenState;
  readonly settlements: Readonly<Record<string, CodeSettlement | Promise<CodeSettlement>>>;
}

export type RunOrigin = { readonly first: FirstTurn } | FrozenOrigin;
