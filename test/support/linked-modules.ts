import { lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './command.ts'

/** Gives a copy of the project the installed packages; links to our own packages lead to those of the copy. */
export function linkModules(copy: string): void {
  const installed = join(ROOT, 'node_modules')
  mkdirSync(join(copy, 'node_modules'))
  for (const name of readdirSync(installed)) {
    const path = join(installed, name)
    // npm's links are relative, as `../packages/checks`.
    const target = lstatSync(path).isSymbolicLink() ? readlinkSync(path) : path
    symlinkSync(target, join(copy, 'node_modules', name))
  }
}
