import { CLI, outcomeOf } from './command.ts'

/** Runs the command line as a process of its own, with exactly this environment; its lines end in "\n". */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const { code, stdout, stderr } = await outcomeOf([CLI, ...args], { env })
  return { code, stdout: stdout.join('\n'), stderr: stderr.join('\n') }
}
