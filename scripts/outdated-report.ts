/** One entry of `npm outdated --json`. */
export interface Outdated {
  readonly current?: string
  readonly latest: string
}

export interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

type Step = 'major' | 'minor' | 'patch' | 'none'

/** Packages that are held back on purpose, and why; docs/evidence/dependencies.md says the same. */
export const HELD: Readonly<Record<string, string>> = {
  '@biomejs/biome': 'the registry lacks platform packages of later versions',
  '@types/node': 'never newer than the pinned Node',
  'a2a-sdk-03': 'the protocol version 0.3 on purpose',
  node: 'the LTS line of the image',
}

/** A table of what could be updated: parts of a running service first, then by the size of the step. */
export function outdatedReport(outdated: Readonly<Record<string, Outdated>>, manifest: Manifest): string {
  const running = { ...manifest.dependencies, ...manifest.optionalDependencies }
  const rows = Object.entries(outdated)
    .map(([key, { current, latest }]) => {
      // An alias is reported as "name:what it stands for".
      const name = key.split(':')[0] ?? key
      const step = current === undefined ? 'none' : stepOf(current, latest)
      return { name, current: current ?? 'not installed', latest, step, runs: Object.hasOwn(running, name) }
    })
    .filter(({ step }) => step !== 'none')
    .toSorted(
      (a, b) => Number(b.runs) - Number(a.runs) || ORDER[a.step] - ORDER[b.step] || compare(a.name, b.name),
    )
  if (rows.length === 0) return 'Every named package is at its latest version.\n'
  const lines = rows.map(
    ({ name, current, latest, step, runs }) =>
      `| ${name} | ${current} | ${latest} | ${step} | ${runs ? 'service' : 'tests and tools'} | ${HELD[name] ?? ''} |`,
  )
  return `| package | here | latest | step | part of | held because |\n|---|---|---|---|---|---|\n${lines.join('\n')}\n`
}

const ORDER: Readonly<Record<Step, number>> = { patch: 0, minor: 1, major: 2, none: 3 }

function stepOf(current: string, latest: string): Step {
  const [from, to] = [numbersOf(current), numbersOf(latest)]
  const at = from.findIndex((number, index) => number !== to[index])
  const isOlder = at < 0 || (to[at] ?? 0) < (from[at] ?? 0)
  return isOlder ? 'none' : ((['major', 'minor', 'patch'] as const)[at] ?? 'none')
}

const numbersOf = (version: string): readonly number[] => (version.split('-')[0] ?? '').split('.').map(Number)
const compare = (a: string, b: string): number => (a < b ? -1 : 1)
