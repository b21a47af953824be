// The errors of the seam: misuse by the consumer, a host function's own failure, and a frozen run.

/** Misuse of a runtime: a bad namespace, an unknown language, a limit above its maximum, a disposed runtime. */
export class CodeRuntimeError extends Error {
  override readonly name = 'CodeRuntimeError';
  constructor(
    readonly code:
      | 'invalid-request'
      | 'invalid-binding'
      | 'invalid-limit'
      | 'unsupported-language'
      | 'disposed'
      | 'not-suspended'
      | 'not-resumable',
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** What a host function may reject with so that a code and a member cross to the guest beside the message. */
export class CodeCallError extends Error {
  override readonly name = 'CodeCallError';
  readonly code: string | undefined;
  readonly member: string | undefined;
  constructor(message: string, details: { code?: string; member?: string } = {}) {
    super(message);
    this.code = details.code;
    this.member = details.member;
  }
}

/** What `result` rejects with after `freeze`: the run goes on elsewhere. */
export class CodeRunFrozen extends Error {
  override readonly name = 'CodeRunFrozen';
  constructor() {
    super('the run was frozen; thaw it to get its result');
  }
}
