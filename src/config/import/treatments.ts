// What becomes of the fields of a compose service that a template does not take as they are. Data for the import and
// for the pages that describe it.

export type Treatment = {
  readonly kind: "dropped" | "translated";
  /** Continues `<field> is left out: ` of what is dropped; of what is translated, what it becomes. */
  readonly words: string;
};

/** By field, `deploy.mode` for one inside another. Dropped is only what means nothing to a worker. */
export const treatments: Readonly<Record<string, Treatment>> = {
  container_name: dropped("workers are named <group>-<slot>-<revision>"),
  build: dropped("wgctl builds nothing, so build and push the image first"),
  links: dropped("on one network every service is reached by its name"),
  expose: dropped("on a network every port can be reached"),
  tty: dropped("a worker has no terminal"),
  stdin_open: dropped("nobody types into a worker"),
  attach: dropped("wgctl shows no worker output"),
  develop: dropped("it serves docker compose watch"),
  profiles: dropped("groups are chosen with --group"),
  "healthcheck.start_interval": dropped("a starting worker is asked as often as any other"),
  "deploy.placement": dropped("all workers run on one engine"),
  "deploy.endpoint_mode": dropped("it belongs to Swarm's networks"),
  "deploy.labels": dropped("they belong to a Swarm service, not to its containers"),
  "deploy.rollback_config": dropped("a rollback keeps to spec.rollout"),
  scale: translated("spec.replicas"),
  extends: translated("the fields of both, merged as Compose merges them"),
  depends_on: translated("a comment that says what has to be there, and what has to have run"),
  environment: translated("the same; of a name without a value, what it needs is said"),
  env_file: translated("the same, the path seen from the manifest's folder"),
  volumes: translated(
    "the same, volumes by the engine's names and paths from the manifest's folder",
  ),
  networks: translated("the same, by the engine's names, with the service's name as an alias"),
  secrets: translated("spec.template.secrets, and the files in spec.secrets"),
  configs: translated("spec.template.configs, and the files in spec.configs"),
  hostname: translated("the same; with several workers the slot is added"),
  pull_policy: translated("the same; `build` is left out"),
  restart: translated("the same; left out, with onExit, for workers that end after one job"),
  "deploy.replicas": translated("spec.replicas"),
  "deploy.mode": translated("nothing, or one worker for `global`"),
  "deploy.restart_policy": translated("restart"),
  "deploy.update_config": translated("spec.rollout"),
};

function dropped(words: string): Treatment {
  return { kind: "dropped", words };
}

function translated(words: string): Treatment {
  return { kind: "translated", words };
}

/** Every field that Compose knows at the top of a file. */
export const fileFields: readonly string[] =
  "name version services networks volumes secrets configs include models".split(" ");
