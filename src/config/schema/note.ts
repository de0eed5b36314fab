// What an editor is told about a field.

export type Note = readonly [description: string, ...examples: readonly unknown[]];
