import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

export const ROOT = resolve(import.meta.dirname, '../..')

const BUILD = process.env.FORMAT_CHECKER_TEST_BUILD
const entry = (name: string, source: string) => (BUILD === undefined ? join(ROOT, source) : join(BUILD, name))
/** The service and the command line as `run-setup.ts` built them; without it, their sources. */
export const MAIN = entry('main.js', 'src/main.ts')
export const CLI = entry('cli.cjs', 'bin/format-checker.js')

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A program under way, with what it has said so far. */
export interface Running {
  readonly child: ChildProcess
  readonly stdout: string[]
  readonly stderr: string[]
  readonly ended: Promise<Ended>
  /** The first line of standard output that matches; rejects when the program ends before it says one. */
  line(pattern: RegExp): Promise<RegExpExecArray>
}

export interface CommandOptions {
  /** The whole environment: nothing is inherited but PATH and the place of compiled modules. */
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  readonly program?: string
  /** A process group of its own, as a shell gives to what is typed. */
  readonly group?: boolean
}

/** Runs a program in the project's directory; Node unless said otherwise. */
export function run(args: readonly string[], options: CommandOptions = {}): Running {
  const child = spawn(options.program ?? process.execPath, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: options.group === true,
  })
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const stdout: string[] = []
  const stderr: string[] = []
  const watchers = new Set<(line: string) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    stdout.push(line)
    for (const watch of watchers) watch(line)
  })
  createInterface({ input: child.stderr }).on('line', (line) => stderr.push(line))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  return {
    child,
    stdout,
    stderr,
    ended,
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (line: string) => {
          const match = pattern.exec(line)
          if (match === null) return
          watchers.delete(look)
          resolve(match)
        }
        watchers.add(look)
        for (const line of stdout) look(line)
        ended.then(
          () => reject(new Error(`ended without saying ${pattern}:\n${[...stdout, ...stderr].join('\n')}`)),
          reject,
        )
      }),
  }
}

/** Runs a program to its end. */
export async function outcomeOf(args: readonly string[], options: CommandOptions = {}) {
  const { ended, stdout, stderr } = run(args, options)
  return { ...(await ended), stdout, stderr }
}

/** Processes whose command line holds the text, by number; needs the /proc of Linux, as anvil does. */
export function processesNaming(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => commandLine(pid).includes(text))
    .map(Number)
}

function commandLine(pid: string): string {
  try {
    const file = `/proc/${pid}/cmdline`
    return existsSync(file) ? readFileSync(file, 'utf8') : ''
  } catch {
    // It ended while it was looked at.
    return ''
  }
}
