import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface NodeProgram {
  readonly program: string
  /** What stands before the script. */
  readonly args: readonly string[]
}

/** A Node that says of itself to be of that version. */
export function nodeCalled(version: string): NodeProgram {
  const preload = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  return {
    program: process.execPath,
    args: ['--import', `data:text/javascript,${encodeURIComponent(preload)}`],
  }
}

/** The first Node of this machine that is too old for the service, else one that says it is. */
export function oldNode(): NodeProgram {
  const found = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => !directory.includes('node_modules'))
    .map((directory) => join(directory, 'node'))
    .find((program) => existsSync(program) && majorOf(program) < 22)
  return found === undefined ? nodeCalled('20.20.2') : { program: found, args: [] }
}

const majorOf = (program: string): number =>
  Number(spawnSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.split('.')[0])
