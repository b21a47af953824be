// What a run is started with, checked: names, functions, data, limits and listeners.
import type { CheckedSurroundings } from '@codeseam/code-runtime';
import type { RuntimeLimits } from './limits.ts';

export type Surroundings = CheckedSurroundings<RuntimeLimits>;
