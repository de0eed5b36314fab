// What an editor tells about secrets and configs; see notes.ts.

export const fileNotes = {
  "spec.secrets": [
    "Files with secrets, by the names that `template.secrets` uses.",
    { api_key: { file: "./secrets/api_key.txt" } },
  ],
  "spec.secrets.*.file": [
    "Where the file is, from the manifest's folder; editing it replaces the workers.",
    "./secrets/api_key.txt",
  ],
  "spec.configs": [
    "Files of configuration, by the names that `template.configs` uses.",
    { app: { file: "./app.toml" } },
  ],
  "spec.configs.*.file": [
    "Where the file is, from the manifest's folder; editing it replaces the workers.",
    "./app.toml",
  ],
  "spec.template.secrets": [
    "Files of `spec.secrets` that workers see, read-only, in /run/secrets.",
    ["api_key"],
  ],
  "spec.template.secrets[].source": ["The name in `spec.secrets`.", "api_key"],
  "spec.template.secrets[].target": [
    "The file's name in /run/secrets, or an absolute path; its name in `spec.secrets` if absent.",
    "key",
    "/etc/app/key",
  ],
  "spec.template.configs": [
    "Files of `spec.configs` that workers see, read-only.",
    [{ source: "app", target: "/etc/app.toml" }],
  ],
  "spec.template.configs[].source": ["The name in `spec.configs`.", "app"],
  "spec.template.configs[].target": [
    "The path in the container; `/` and its name in `spec.configs` if absent.",
    "/etc/app.toml",
  ],
} as const satisfies Readonly<Record<string, readonly [string, ...unknown[]]>>;
