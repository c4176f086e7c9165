/** The libraries as judges of many values at once: those of the registry in this process, python-stdnum in its own. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { CHECK_TYPES, type CheckType } from '../../src/checks/verdict.ts'
import { isText } from '../../test/support/vectors.ts'
import type { BatchJudge } from './differential.ts'
import { type Judge, peersOf } from './peers.ts'

const PYTHON_SCRIPT = fileURLToPath(new URL('python_stdnum.py', import.meta.url))
const MAX_OUTPUT = 1 << 28

/** The judges of every type by name; python-stdnum is among them if `python` can import it. */
export function batchJudges(
  python: string,
): Readonly<Record<CheckType, Readonly<Record<string, BatchJudge>>>> {
  const peers = peersOf()
  const hasPython = pythonVersion(python) !== undefined
  const judgesOf = (type: CheckType) => ({
    ...Object.fromEntries(Object.entries(peers[type] ?? {}).map(([name, judge]) => [name, each(judge)])),
    ...(hasPython && !isText(type) ? { 'python-stdnum': asksPython(python, type) } : {}),
  })
  return Object.fromEntries(CHECK_TYPES.map((type) => [type, judgesOf(type)])) as Record<
    CheckType,
    Record<string, BatchJudge>
  >
}

/** The version of python-stdnum, where there is one. */
export function pythonVersion(python: string): string | undefined {
  const { status, stdout } = spawnSync(python, [PYTHON_SCRIPT], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Who throws has not called it valid. */
const each =
  (judge: Judge): BatchJudge =>
  (values) =>
    values.map((value) => {
      try {
        return judge(value)
      } catch {
        return false
      }
    })

const asksPython =
  (python: string, type: CheckType): BatchJudge =>
  (values) => {
    if (values.length === 0) return []
    const input = values.map((value) => `${JSON.stringify(value)}\n`).join('')
    const { status, stdout, stderr } = spawnSync(python, [PYTHON_SCRIPT, type], {
      ...{ input, encoding: 'utf8', maxBuffer: MAX_OUTPUT },
    })
    if (status !== 0) throw new Error(stderr)
    return stdout
      .trimEnd()
      .split('\n')
      .map((said) => said === '1')
  }
