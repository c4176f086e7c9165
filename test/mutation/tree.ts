/** A copy of the project in which one mutant at a time is planted, so that processes that a test starts have it, too. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apply, ROOT } from './draw.ts'
import type { Mutant } from './operators.ts'

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
  remove(): void
}

const LEFT_OUT = /^(?:node_modules|\.git|ci-output)$/

export function openTree(number: number): Tree {
  const name = createHash('sha256').update(ROOT).digest('hex').slice(0, 8)
  const folder = join(tmpdir(), `mutants-${name}-${number}`)
  rmSync(folder, { recursive: true, force: true })
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (from) => !LEFT_OUT.test(from.slice(ROOT.length + 1)),
  })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  /** The file as it was, also where the project changes during a run. */
  let planted: { readonly file: string; readonly source: string } | undefined
  const bin = join(ROOT, 'node_modules/.bin')
  return {
    folder,
    plant(mutant) {
      const file = join(folder, mutant.path)
      planted = { file, source: readFileSync(file, 'utf8') }
      writeFileSync(file, apply(planted.source, mutant))
    },
    restore() {
      if (planted !== undefined) writeFileSync(planted.file, planted.source)
    },
    run: (program, args, limitMs, env = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(join(bin, program), args, {
          cwd: folder,
          detached: true,
          env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, CI: '', NO_COLOR: '1', ...env },
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
          // The whole group: a test may have started processes of its own.
          if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
        }, limitMs)
        child.on('error', reject)
        child.on('close', (code) => {
          clearTimeout(timer)
          resolve({ code: late ? null : code, said })
        })
      }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
