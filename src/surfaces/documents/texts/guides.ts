/** The guides under `docs/` as Markdown, with the address of this service in their examples. */
import { readdirSync, readFileSync } from 'node:fs'
import type { StaticDocument } from '../../../http/body/static-document.ts'
import type { OperatorFacts } from '../../call/service-facts.ts'
import { mcpHosts } from '../mcp-hosts.ts'
import { commandLine, type Packages, shellLine } from '../packages.ts'

export interface Guide {
  readonly name: string
  readonly reader: string
  readonly markdown: string
  readonly charts: ReadonlyMap<string, string>
}

export interface GuideOptions {
  readonly baseUrl: string
  readonly sandbox: boolean
  readonly packages?: Packages
  readonly operator?: Partial<OperatorFacts>
}

const GUIDES = new URL('../../../../docs/', import.meta.url)
const CHARTS = new URL('charts/', GUIDES)
/** Pages in the root of the repository, by the name under which they are published. */
const ROOT_PAGES = [
  ['changelog', new URL('../../../../CHANGELOG.md', import.meta.url)],
  ['reporting', new URL('../../../../SECURITY.md', import.meta.url)],
  ['contributing', new URL('../../../../CONTRIBUTING.md', import.meta.url)],
] as const
const FRONT_MATTER = /^---\nreader: (.+)\n---\n/
/** The address in the examples, which run as they are against a sandbox. */
const WRITTEN_FOR = 'http://127.0.0.1:4021'
/** Marks a guide about a sandbox on the reader's machine, in which the addresses stay. */
const ABOUT_THIS_MACHINE = '<!-- addresses: this machine -->'

/** The command in the guides, in a shell or in JSON. */
const IN_SHELL = /npx -y http:\/\/127\.0\.0\.1:4021\/format-checker-[\d.]+\.tgz/g
const IN_JSON =
  /"command": "npx",(\s+)"args": \["-y", "http:\/\/127\.0\.0\.1:4021\/format-checker-[\d.]+\.tgz"/g

/** The same for other programs than npx. */
const TARBALL = /http:\/\/127\.0\.0\.1:4021\/format-checker-[\d.]+\.tgz/g

/** How examples get the key of a sandbox, and what a live service shows instead. */
const SANDBOX_KEYS = [
  [
    `const { buyer } = await (await fetch('${WRITTEN_FOR}/sandbox.json')).json()
const account = privateKeyToAccount(buyer.privateKey)`,
    `import { env } from 'node:process'
const account = privateKeyToAccount(env.BUYER_PRIVATE_KEY)`,
  ],
  [/os\.environ\.get\("BUYER_PRIVATE_KEY"\) or .*/g, 'os.environ["BUYER_PRIVATE_KEY"]'],
] as const

/** Reads every guide and the pages of evidence, sorted by name, without the decision records in `docs/adr`. */
export function readGuides(options: GuideOptions): readonly Guide[] {
  return ['', 'evidence/']
    .flatMap((folder) => readdirSync(new URL(folder, GUIDES)).map((file) => folder + file))
    .filter((file) => file.endsWith('.md'))
    .map((file) => [file.slice(0, -'.md'.length), new URL(file, GUIDES)] as const)
    .concat(ROOT_PAGES)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, file]) => {
      const source = readFileSync(file, 'utf8')
      const [, reader = 'developers'] = FRONT_MATTER.exec(source) ?? []
      const markdown = forReaders(source.replace(FRONT_MATTER, ''), options)
      return { name, reader, markdown, charts: chartsIn(source) }
    })
}

const chartsIn = (source: string): ReadonlyMap<string, string> =>
  new Map(
    [...source.matchAll(/\]\((?:\.\.\/)?charts\/([\w-]+\.svg)\)/g)].map(([, file = '']) => [
      file,
      readFileSync(new URL(file, CHARTS), 'utf8'),
    ]),
  )

export const guideDocuments = (guides: readonly Guide[]): readonly StaticDocument[] => [
  ...guides.map(({ name, markdown }) => ({
    route: `/docs/${name}.md`,
    body: markdown,
    contentType: 'text/markdown; charset=utf-8',
  })),
  ...readdirSync(new URL('evidence/', GUIDES))
    .filter((file) => file.endsWith('.csv'))
    .map((file) => ({
      route: `/docs/evidence/${file}`,
      body: readFileSync(new URL(`evidence/${file}`, GUIDES)),
      contentType: 'text/csv; charset=utf-8',
    })),
  ...readdirSync(CHARTS).map((file) => ({
    route: `/docs/charts/${file}`,
    body: readFileSync(new URL(file, CHARTS)),
    contentType: 'image/svg+xml',
  })),
]

function forReaders(source: string, options: GuideOptions): string {
  const { baseUrl, sandbox, packages } = options
  const text = withoutComments(withOperator(source, options)).replaceAll('BASE_URL/', `${baseUrl}/`)
  if (source.includes(ABOUT_THIS_MACHINE)) return text
  const named =
    packages === undefined
      ? text
      : text
          .replaceAll(IN_SHELL, () => shellLine(packages.command))
          .replaceAll(IN_JSON, (_, space: string) => inJson(packages.command, space))
          .replaceAll(TARBALL, (url) => packages.command[2] ?? url)
  const runnable = sandbox
    ? named
    : SANDBOX_KEYS.reduce((page, [given, own]) => page.replaceAll(given, own), named)
  return runnable.replaceAll(WRITTEN_FOR, baseUrl)
}

const inJson = ([program, ...args]: Packages['command'], space: string) =>
  `"command": "${program}",${space}"args": [${args.map((word) => JSON.stringify(word)).join(', ')}`

/** Replaces the line below each mark with what the operator has set; without a setting the line stays, or nothing is said. */
function withOperator(source: string, { baseUrl, operator = {}, packages }: GuideOptions): string {
  const { operatorName, termsUrl, supportUrl, contactEmail } = operator
  const lines: Readonly<Record<string, string | undefined>> = {
    name: operatorName ? `This service is run by ${operatorName}.` : '',
    terms: termsUrl ? `The terms of the operator: [${termsUrl}](${termsUrl}).` : '',
    support: supportUrl ? `Support by the operator: [${supportUrl}](${supportUrl}).` : '',
    command: packages && commandLine(packages),
    hosts:
      packages &&
      (mcpHosts({ baseUrl, packages })
        .links.map(({ host, url, words }) => `- [${host}](${url}): ${words}`)
        .join('\n') ||
        undefined),
    contact: contactEmail ? `Mail to the operator: [${contactEmail}](mailto:${contactEmail}).` : '',
  }
  return source.replaceAll(
    /^<!-- operator: (\w+) -->\n(.*)$/gm,
    (_, name: string, text: string) => lines[name] ?? text,
  )
}

/** Removes comments that are a line of their own, and the marks of figures; comments inside code stay. */
function withoutComments(markdown: string): string {
  const kept: string[] = []
  let inCode = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode
    const isSecondBlank = line === '' && (kept.at(-1) ?? '') === ''
    if (inCode || !(isSecondBlank || /^<!-- .* -->$/.test(line)))
      kept.push(inCode ? line : line.replaceAll(/<!--[=/].*?-->/g, ''))
  }
  return `${kept.join('\n').trimEnd()}\n`
}
