// Image references, taken apart as far as a pull needs it.

export type ImageReference = {
  /** `docker.io` or the registry's host and port. */
  readonly registry: string;
  /** As the user wrote it, without tag and digest. */
  readonly repository: string;
  /** A tag, or a digest, which wins where both are written; `latest` where neither is. */
  readonly version: string;
};

const DOCKER_HUB = "docker.io";

/** Takes apart `registry:5000/team/app:1.2@sha256:...`. */
export function parseReference(text: string): ImageReference {
  const [name = "", digest] = text.split("@");
  const colon = name.indexOf(":", name.lastIndexOf("/") + 1);
  const repository = colon < 0 ? name : name.slice(0, colon);
  const tag = colon < 0 ? "latest" : name.slice(colon + 1);
  return { registry: registryOf(repository), repository, version: digest ?? tag };
}

// The first part is a host only if nothing else could look like it: it has a dot or a port, or is localhost.
function registryOf(repository: string): string {
  const [first = "", ...rest] = repository.split("/");
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  return isHost ? normalHost(first) : DOCKER_HUB;
}

/** One name for one registry: Docker Hub has several, and the docker config writes whole URLs. */
export function normalHost(text: string): string {
  const host = text.replace(/^https?:\/\//, "").replace(/\/.*$/, "");
  return ["index.docker.io", "registry-1.docker.io"].includes(host) ? DOCKER_HUB : host;
}

/** What the docker config and its helpers call a registry. */
export function serverAddress(registry: string): string {
  return registry === DOCKER_HUB ? "https://index.docker.io/v1/" : registry;
}
