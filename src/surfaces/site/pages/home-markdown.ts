/** The front page for readers of Markdown. */
import { DOCUMENTS } from '../document-table.ts'
import { checkPath, type PageContext } from '../page-context.ts'
import { snippetsFor } from '../snippets.ts'

export function homeMarkdown(context: PageContext): string {
  const { baseUrl, listing, mcpHosts, sandbox, skills } = context
  const [skill] = skills.all
  if (skill === undefined) throw new Error('a registry without skills')
  const lines = [
    `# ${listing.service}`,
    '',
    ...(sandbox ? ['**SANDBOX: no real money. Everything lives on this machine only.**', ''] : []),
    'Check the form before you act on it: one identifier in, one verdict out. Format and checksum by the published',
    `rules, offline. ${listing.price} a call in USDC on ${listing.networkName}, paid with x402; no account, no API key.`,
    '',
    '## Give it to an assistant',
    '',
    mcpHosts.words,
    '',
    `- Claude Code: \`${mcpHosts.line}\``,
    ...mcpHosts.links.map(({ host, url, words }) => `- [${host}](${url}): ${words}`),
    `- [Any other host](${baseUrl}/docs/clients#mcp-hosts)`,
    '',
    '## Checks',
    '',
    ...skills.all.map((each) => `- [${each.title}](${baseUrl}${checkPath(each)}): ${each.summary}`),
    '',
    'No register, bank, mail server or DNS is asked: what is well formed need not exist.',
    '',
    '## Call it',
    '',
    listing.usage,
    '',
    ...snippetsFor(context, skill).flatMap(({ title, note, language, code }) => [
      `### ${title}`,
      '',
      note,
      '',
      `\`\`\`${language}`,
      code,
      '```',
      '',
    ]),
    '## Privacy',
    '',
    listing.privacy,
    '',
    '## Documents',
    '',
    ...DOCUMENTS.flatMap(([, links]) => links.map(([path, words]) => `- [${words}](${baseUrl}${path})`)),
  ]
  return `${lines.join('\n')}\n`
}
