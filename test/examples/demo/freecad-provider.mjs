// The provider of this example host: it runs documents of the kind `schemaxis.freecad/1`.
//
// A document names nodes and an output. The one filter that this host knows is `box`; it builds the solid and publishes it
// as an STL file. A host with a real CAD kernel would hold a longer table of filters here, and nothing else would change.
import { binaryStl, boxMesh, volumeOf } from './box-mesh.mjs';

const DEFAULT_SIZE_MM = [10, 10, 10];

const FILTERS = {
  box: (node) => boxMesh(node.sizeMm ?? DEFAULT_SIZE_MM),
};

/** A schema as Standard Schema asks for it: what it accepts is what the handler gets. */
const freecadDocument = {
  '~standard': {
    version: 1,
    vendor: 'everdue-example',
    validate(value) {
      const issues = faultsOf(value);
      return issues.length > 0 ? { issues } : { value };
    },
  },
};

function faultsOf({ nodes, output }) {
  if (!Array.isArray(nodes)) return [{ message: 'a document needs a list of nodes', path: ['nodes'] }];
  const issues = nodes.flatMap((node, index) => nodeFaults(node, index));
  if (!nodes.some((node) => node?.id === output)) {
    issues.push({ message: `no node has the id ${JSON.stringify(output)}`, path: ['output'] });
  }
  return issues;
}

function nodeFaults(node, index) {
  if (!Object.hasOwn(FILTERS, node?.filter ?? '')) {
    const known = Object.keys(FILTERS).join(', ');
    return [
      {
        message: `unknown filter ${JSON.stringify(node?.filter)}; this host knows: ${known}`,
        path: ['nodes', index, 'filter'],
      },
    ];
  }
  const { sizeMm } = node;
  const isSize = sizeMm === undefined || (Array.isArray(sizeMm) && sizeMm.length === 3 && sizeMm.every((mm) => mm > 0));
  return isSize ? [] : [{ message: 'three lengths above 0, in millimetres', path: ['nodes', index, 'sizeMm'] }];
}

/**
 * The provider. `pace` is called in the middle of each run and stands for the time that a heavy model takes.
 */
export function freecadProvider({ pace = async () => {} } = {}) {
  return {
    kinds: {
      'schemaxis.freecad/1': {
        schema: freecadDocument,
        async run(document, ctx) {
          const node = document.nodes.find(({ id }) => id === document.output);
          const triangles = await ctx.stage('mesh', async (signal) => {
            ctx.progress(`meshing ${node.id}`);
            await pace(signal);
            return FILTERS[node.filter](node);
          });
          await ctx.stage('publish', () => ctx.publish(`${node.id}.stl`, binaryStl(triangles, `everdue ${node.id}`)));
          return { triangles: triangles.length, volumeMm3: Number(volumeOf(triangles).toFixed(6)) };
        },
      },
    },
  };
}
