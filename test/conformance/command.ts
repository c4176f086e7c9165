import { spawn } from 'node:child_process'

export interface Outcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Ends a command that hangs; none is decided by it. */
const HANGING_MS = 600_000

export interface CommandOptions {
  readonly env?: Record<string, string>
}

/** Runs one of the packages' scripts on this same Node, to its end. */
export function runNode(args: readonly string[], options: CommandOptions = {}): Promise<Outcome> {
  const { env = {} } = options
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: import.meta.dirname,
      // Colours would stand between the words that are looked for.
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: HANGING_MS,
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ exitCode: code ?? -1, stdout, stderr }))
  })
}
