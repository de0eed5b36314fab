// Modules of Node that the bundle mentions at its top and seldom uses are loaded at their first use instead.

/**
 * An esbuild plugin that gives each named module as an object of getters. `import` and `require` of a bundle see no
 * difference, except to a class that extends one of the module's.
 *
 * @param {readonly string[]} modules
 * @returns {import("esbuild").Plugin}
 */
export function lazyBuiltins(modules) {
  return {
    name: "lazy-builtins",
    setup(build) {
      build.onResolve({ filter: /^node:/ }, ({ path }) =>
        modules.includes(path) ? { path, namespace: "lazy" } : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: "lazy" }, ({ path }) => ({
        contents: getters(path),
      }));
    },
  };
}

/** @param {string} path */
function getters(path) {
  const names = Object.keys(process.getBuiltinModule(path) ?? {});
  return `for (const name of ${JSON.stringify(names)})
    Object.defineProperty(exports, name, {
      enumerable: true,
      get: () => process.getBuiltinModule(${JSON.stringify(path)})[name],
    });`;
}
