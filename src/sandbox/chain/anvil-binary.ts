import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { StartupError } from '../../catalog/startup-error.ts'

/** The machines for which Foundry publishes anvil on npm, as its packages name them. */
const PUBLISHED = ['darwin-amd64', 'darwin-arm64', 'linux-amd64', 'linux-arm64', 'win32-amd64']

export interface Machine {
  readonly platform: string
  readonly arch: string
  /** A Linux without glibc, such as Alpine. */
  readonly isMusl: boolean
}

/**
 * The one npm installed, else the one on PATH. Each is started once, since the machine may lack its C library. Throws
 * {@link StartupError} if none runs.
 */
export function findAnvil(candidates: readonly (string | undefined)[] = [installedAnvil(), 'anvil']): string {
  const anvil = candidates.find((path) => path !== undefined && runs(path))
  if (anvil !== undefined) return anvil
  throw new StartupError(`the sandbox needs anvil, and none runs on this machine: ${cureFor(thisMachine())}`)
}

/** How a user gets an anvil that runs on the machine. */
export function cureFor({ platform, arch, isMusl }: Machine): string {
  const name = nameOf(platform, arch)
  const own = 'put one on PATH (https://getfoundry.sh)'
  if (isMusl) return `Foundry publishes none for a Linux without glibc; use one with glibc, or ${own}`
  if (!PUBLISHED.includes(name)) return `Foundry publishes none for ${platform} on ${arch}; ${own}`
  return `run "npm ci" on this machine without --omit=optional, or ${own}`
}

const nameOf = (platform: string, arch: string) => `${platform}-${arch === 'x64' ? 'amd64' : arch}`

function thisMachine(): Machine {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  const { platform, arch } = process
  return { platform, arch, isMusl: platform === 'linux' && header.glibcVersionRuntime === undefined }
}

function installedAnvil(): string | undefined {
  const name = `@foundry-rs/anvil-${nameOf(process.platform, process.arch)}/package.json`
  try {
    const manifest = createRequire(import.meta.url).resolve(name)
    return join(manifest, '..', 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil')
  } catch {
    return undefined
  }
}

function runs(path: string): boolean {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 60_000 }).status === 0
}
