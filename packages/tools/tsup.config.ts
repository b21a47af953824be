import { packageBuild } from '../../scripts/package-build.ts';

export default packageBuild([], {
  entry: {
    index: 'src/index.ts',
    cordis: 'src/cordis.ts',
    policy: 'src/policy/access.ts',
    timeout: 'src/policy/timeout.ts',
    retry: 'src/policy/retry.ts',
    spill: 'src/policy/spill.ts',
    'terminal-approval': 'src/policy/terminal-approval.ts',
  },
});
