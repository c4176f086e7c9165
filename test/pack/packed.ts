import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/command.ts'

/** Packs both packages into the folder. */
export function packInto(folder: string, env: Readonly<Record<string, string>> = {}): void {
  execFileSync(process.execPath, [join(ROOT, 'scripts/pack.ts'), folder], {
    stdio: 'pipe',
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  })
}

/** Installs a tarball into a new empty project, without a network, and returns the project's folder. */
export function installTarball(tarball: string, project: string): string {
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], {
    cwd: project,
    stdio: 'pipe',
    env: { PATH: process.env.PATH, HOME: project },
  })
  return project
}

/** The files of a tarball, as paths inside the package. */
export const listTarball = (tarball: string): readonly string[] =>
  execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''))
