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

/** docs/peer-differences.md: every vector that a library judges otherwise, with the reason of ours. */
export function differencesDoc(versions: Readonly<Record<string, string>>): string {
  const peers = peersOf()
  const parts = CHECK_TYPES.map((type) => partOf(type, peers[type] ?? {}))
  return `---
reader: reviewers
---
# Where well-known libraries differ

Written by \`npm run differences\`, which asks each library about every public vector (\`test/vectors\`), and with
\`--values 1000000\` about that many made-up values of each type. A difference is not always a mistake of theirs: some take
no separators, some know fewer kinds, some mean to be lenient. The rules and their sources are in
[correctness.md](correctness.md).

Versions: ${Object.entries(versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ')}, python-stdnum 1.18 (Debian).

${runsPart(readRuns())}
## Public vectors

The note says what the vector shows. ✓ valid, ✗ not valid, – a kind it does not know, ! it throws; **bold** where it differs from ours.

${parts.join('\n')}`
}

function partOf(type: CheckType, peers: Readonly<Record<string, Judge>>): string {
  const names = Object.keys(peers)
  const judged = vectorFiles(type)
    .flatMap(vectors)
    .map((vector) => ({ vector, said: askAll(peers, vector.value) }))
  const differing = judged.filter(({ vector, said }) => names.some((name) => differs(vector, said[name])))
  const share = (name: string) => {
    const asked = judged.filter(({ said }) => said[name] !== null)
    return `${asked.filter(({ vector, said }) => !differs(vector, said[name])).length} of ${asked.length}`
  }
  const cell = (vector: Vector, said: boolean | null | 'throws' | undefined) => {
    const sign = said === 'throws' ? '!' : said == null ? '–' : said ? '✓' : '✗'
    return differs(vector, said) ? `**${sign}**` : sign
  }
  const rows = differing.map(
    ({ vector, said }) =>
      `| ${shown(vector.value)} | ${vector.note.replaceAll('|', '\\|')} | ${vector.valid ? '✓' : '✗'} \`${vector.code}\` | ${names.map((name) => cell(vector, said[name])).join(' | ')} |`,
  )
  return `### ${type}: vectors

${judged.length} vectors; judged alike: ${names.map((name) => `${name} ${share(name)}`).join(', ')}.

| value | shows | ours | ${names.join(' | ')} |
|---|---|---|${'---|'.repeat(names.length)}
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
