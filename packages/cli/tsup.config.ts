import { packageBuild } from '../../scripts/package-build.ts';

export default packageBuild(['src/bin.ts', 'src/index.ts']);
