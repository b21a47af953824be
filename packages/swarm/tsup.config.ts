import { bundleTextForEsbuild } from '../../scripts/bundle-text.ts';
import { packageBuild } from '../../scripts/package-build.ts';

export default packageBuild(['src/index.ts', 'src/cordis.ts'], { esbuildPlugins: [bundleTextForEsbuild()] });
