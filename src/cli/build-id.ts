// Which build of the program this is: the build replaces the variable by a digest of the bundle.

/** Empty when run from the sources. */
export const BUILD_ID: string = process.env["WGCTL_BUILD_ID"] ?? "";
