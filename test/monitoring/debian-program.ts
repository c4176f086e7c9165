import { spawnSync } from 'node:child_process'

/** Makes sure that a program of Debian's package is there; the suite that needs it fails with its name otherwise. */
export function needProgram(program: string, debianPackage: string): string {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error !== undefined)
    throw new Error(`these tests need ${program}: install the package "${debianPackage}"`)
  return program
}
