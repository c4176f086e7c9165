/** A copy of the project in which one mutant at a time is planted, so that processes that a test starts have it, too. */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { linkModules } from '../support/linked-modules.ts'
import { apply, ROOT } from './draw.ts'
import type { Mutant } from './operators.ts'
import type { Asked, Failure } from './run-tests.ts'

export interface Ran {
  /** Null if it was ended for taking too long. */
  readonly code: number | null
  readonly said: string
}

export interface Tree {
  readonly folder: string
  plant(mutant: Mutant): void
  restore(): void
  /** Runs a program of node_modules/.bin, or node itself, in the copy. */
  run(
    program: string,
    args: readonly string[],
    limitMs: number,
    env?: Readonly<Record<string, string>>,
  ): Promise<Ran>
  /** Runs test files; 'late' if they were ended for taking too long. */
  test(files: readonly string[], limitMs: number): Promise<Failure | 'late' | null>
  remove(): void
}

const LEFT_OUT = /(?:^|\/)node_modules$|^(?:\.git|ci-output)$/

export function openTree(number: number): Tree {
  const name = createHash('sha256').update(ROOT).digest('hex').slice(0, 8)
  const folder = join(tmpdir(), `mutants-${name}-${number}`)
  rmSync(folder, { recursive: true, force: true })
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (from) => !LEFT_OUT.test(from.slice(ROOT.length + 1)),
  })
  linkModules(folder)
  /** The file as it was, also where the project changes during a run. */
  let planted: { readonly file: string; readonly source: string } | undefined
  const bin = join(ROOT, 'node_modules/.bin')
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, CI: '', NO_COLOR: '1' }
  const runner = openRunner(folder, env)
  return {
    folder,
    plant(mutant) {
      const file = join(folder, mutant.path)
      planted = { file, source: readFileSync(file, 'utf8') }
      runner.changed(mutant.path)
      writeFileSync(file, apply(planted.source, mutant))
    },
    restore() {
      if (planted !== undefined) writeFileSync(planted.file, planted.source)
    },
    run: (program, args, limitMs, more = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(join(bin, program), args, {
          cwd: folder,
          detached: true,
          env: { ...env, ...more },
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        let said = ''
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (text: Buffer) => {
            said = (said + text.toString()).slice(-100_000)
          })
        let late = false
        const timer = setTimeout(() => {
          late = true
          killGroup(child)
        }, limitMs)
        child.on('error', reject)
        child.on('close', (code) => {
          clearTimeout(timer)
          resolve({ code: late ? null : code, said })
        })
      }),
    test: runner.run,
    remove() {
      runner.end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** With its group: a test may have started processes of its own. */
function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGKILL')
}

/** One process that runs tests in the folder; another takes its place when it is stuck. */
function openRunner(folder: string, env: NodeJS.ProcessEnv) {
  let child: ChildProcess | undefined
  const paths = new Set<string>()
  const end = () => {
    if (child !== undefined) killGroup(child)
    child = undefined
  }
  return {
    /** All that was ever planted: what was restored must be loaded again, too. */
    changed: (path: string) => void paths.add(path),
    end,
    run: (tests: readonly string[], limitMs: number) =>
      new Promise<Failure | 'late' | null>((resolve, reject) => {
        child ??= fork('test/mutation/run-tests.ts', { cwd: folder, detached: true, env, silent: true })
        const running = child
        const timer = setTimeout(() => {
          end()
          settle(() => resolve('late'))
        }, limitMs)
        const died = () => settle(() => reject(new Error('the process that runs the tests has ended')))
        const answered = (failure: Failure | null) => settle(() => resolve(failure))
        const settle = (then: () => void) => {
          clearTimeout(timer)
          running.off('exit', died)
          running.off('message', answered)
          then()
        }
        running.once('exit', died)
        running.once('message', answered)
        running.send({ tests, changed: [...paths] } satisfies Asked)
      }),
  }
}
