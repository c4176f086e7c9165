import { percent } from '../../scripts/skill-tables.ts'
import { CHECK_TYPES, type CheckType } from '../../src/checks/verdict.ts'
import { type Vector, vectorFiles, vectors } from '../../test/support/vectors.ts'
import { readRuns } from './differential-run.ts'
import { type Judge, peersOf } from './peers.ts'
import { runsPart } from './runs-doc.ts'
import { shown } from './shown.ts'

interface Judged {
  readonly vector: Vector
  /** By peer: true or false, null for a kind it does not know, "throws" where it does. */
  readonly said: Readonly<Record<string, boolean | null | 'throws'>>
}

/** docs/evidence/peer-differences.md: every vector that a library judges otherwise, with the reason of ours. */
export function differencesDoc(versions: Readonly<Record<string, string>>): string {
  const peers = peersOf()
  const judgements = CHECK_TYPES.map((type) => [type, judgedBy(peers[type] ?? {}, type)] as const)
  return `---
reader: reviewers
---
# Where well-known libraries differ

Find your library in the matrix, then the reason below its check. A difference is not always a mistake of theirs: some take no
separators, know fewer kinds, or mean to be lenient. What decides for us: [correctness](correctness.md).

<!-- begin: differences -->
Share of the public vectors that the library judges as we do, of those it has an opinion on:

${overview(judgements)}

Versions: ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}, python-stdnum 1.18 (Debian).

${runsPart(readRuns())}
## Public vectors

Every vector that a library judges otherwise: ✓ valid, ✗ not valid, – a kind it does not know, ! it throws; **bold** where it
differs from ours.

${judgements.map(([type, judged]) => partOf(type, judged, Object.keys(peers[type] ?? {}))).join('\n')}<!-- end: differences -->

Written by \`npm run differences\`, which asks each library about every public vector (\`test/vectors\`), and with
\`--values 1000000\` about that many made-up values of each type.
`
}

/** For the front page: how many of the public IBANs the libraries judge otherwise, the fewest and the most. */
export function ibanDifferences() {
  const judged = judgedBy(peersOf().iban ?? {}, 'iban')
  const libraries = Object.keys(judged[0]?.said ?? {})
  const counts = libraries.map(
    (name) => judged.filter(({ vector, said }) => differs(vector, said[name])).length,
  )
  return {
    libraries: libraries.length,
    values: judged.length,
    fewest: Math.min(...counts),
    most: Math.max(...counts),
  }
}

const judgedBy = (peers: Readonly<Record<string, Judge>>, type: CheckType): readonly Judged[] =>
  vectorFiles(type)
    .flatMap(vectors)
    .map((vector) => ({ vector, said: askAll(peers, vector.value) }))

/** Libraries down, checks across. */
function overview(judgements: readonly (readonly [CheckType, readonly Judged[]])[]): string {
  const names = [...new Set(judgements.flatMap(([, judged]) => Object.keys(judged[0]?.said ?? {})))]
  const rows = names.map((name) => {
    const cells = judgements.map(([, judged]) => (name in (judged[0]?.said ?? {}) ? alike(judged, name) : ''))
    return `| ${name} | ${cells.join(' | ')} |`
  })
  return `| library | ${judgements.map(([type]) => type).join(' | ')} |
|---|${judgements.map(() => '---|').join('')}
${rows.join('\n')}`
}

function alike(judged: readonly Judged[], name: string): string {
  const asked = judged.filter(({ said }) => said[name] !== null)
  return percent(asked.filter(({ vector, said }) => !differs(vector, said[name])).length / asked.length)
}

function partOf(type: CheckType, judged: readonly Judged[], names: readonly string[]): string {
  const differing = judged.filter(({ vector, said }) => names.some((name) => differs(vector, said[name])))
  const cell = (vector: Vector, said: boolean | null | 'throws' | undefined) => {
    const sign = said === 'throws' ? '!' : said == null ? '–' : said ? '✓' : '✗'
    return differs(vector, said) ? `**${sign}**` : sign
  }
  const rows = differing.map(
    ({ vector, said }) =>
      `| ${shown(vector.value)} | ${vector.valid ? '✓' : '✗'} | ${names.map((name) => cell(vector, said[name])).join(' | ')} | \`${vector.code}\` | ${vector.note.replaceAll('|', '\\|')} |`,
  )
  return `### ${type}: vectors

${differing.length} of ${judged.length} vectors.

| value | ours | ${names.join(' | ')} | our code | shows |
|---|---|${'---|'.repeat(names.length)}---|---|
${rows.join('\n')}
`
}

/** Who throws has not called it valid. */
const differs = ({ valid }: Vector, said: boolean | null | 'throws' | undefined) =>
  said != null && (said === 'throws' ? false : said) !== valid

function askAll(peers: Readonly<Record<string, Judge>>, value: string): Judged['said'] {
  return Object.fromEntries(
    Object.entries(peers).map(([name, judge]) => {
      try {
        return [name, judge(value)]
      } catch {
        return [name, 'throws']
      }
    }),
  )
}
