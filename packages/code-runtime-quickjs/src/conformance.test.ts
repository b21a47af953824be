// The contract that every provider keeps.
import { describeCodeRuntime } from '@codeseam/code-runtime/conformance';
import { createQuickJsRuntime } from './runtime.ts';

describeCodeRuntime('the QuickJS runtime', () => createQuickJsRuntime());
