export function bundlePrograms(options: {
  entries: readonly string[];
  base: string;
  folder: string;
  build: string;
}): Promise<void>;
