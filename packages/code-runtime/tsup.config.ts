import { packageBuild } from '../../scripts/package-build.ts';

export default packageBuild(['src/index.ts', 'src/cordis.ts', 'src/conformance.ts', 'src/guest.ts']);
