// All conformance cases, by what they are about.
import { bindingCases } from './binding-cases.ts';
import type { ConformanceCase } from './case.ts';
import { controlCases } from './control-cases.ts';
import { endingCases } from './ending-cases.ts';
import { failureCases } from './failure-cases.ts';
import { frozenCases } from './frozen-cases.ts';
import { isolationCases } from './isolation-cases.ts';
import { languageCases } from './language-cases.ts';
import { limitCases } from './limit-cases.ts';
import { misuseCases } from './misuse-cases.ts';
import { outputCases } from './output-cases.ts';
import { preludeCases } from './prelude-cases.ts';
import { programCases } from './program-cases.ts';

export const conformanceGroups: Readonly<Record<string, readonly ConformanceCase[]>> = {
  programs: programCases,
  failures: failureCases,
  output: outputCases,
  bindings: bindingCases,
  endings: endingCases,
  limits: limitCases,
  control: controlCases,
  'frozen runs': frozenCases,
  preludes: preludeCases,
  languages: languageCases,
  misuse: misuseCases,
  isolation: isolationCases,
};
