// Names of services and folders -> names that groups and Compose projects can have.

const LONGEST = 40;

/** A DNS label made of a service's name; empty where nothing of it can stand in one. */
export function groupName(service: string): string {
  return service
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, LONGEST)
    .replace(/-+$/, "");
}

/** A project's name as Compose makes it of a folder's. */
export function projectNameOf(folder: string): string {
  return folder
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, "")
    .replace(/^[_-]+/, "");
}

/** Whether Compose takes a name that was given for a project. */
export function isProjectName(name: string): boolean {
  return /^[a-z0-9][a-z0-9_-]*$/.test(name);
}
