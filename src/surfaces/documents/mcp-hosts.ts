/**
 * How the hosts of assistants (Claude, Cursor, VS Code) add the MCP server that pays.
 *
 * The entry names only the file of the key: a key in a link or in a shell's history could be read by others.
 */
import type { Packages } from './packages.ts'

interface HostOptions {
  readonly baseUrl: string
  readonly packages: Packages
}

const WORDS =
  'An assistant needs a server on your machine, which pays for each check, at most a dollar a day. Without a key it ' +
  'answers recorded examples, free. Put the key of a wallet with little money into ~/.config/format-checker/key (chmod 600).'

export function mcpHosts(options: HostOptions) {
  const links = hostLinks(options)
  const file = { mcpServers: { 'format-checker': hostEntry(options, '/home/me') } }
  return {
    words:
      links.length > 0
        ? WORDS
        : `${WORDS} Not published yet: run these lines inside a clone of the repository.`,
    line: `claude mcp add format-checker --env BUYER_PRIVATE_KEY_FILE=$HOME/.config/format-checker/key -- npx ${argumentsOf(options).join(' ')}`,
    links,
    file: JSON.stringify(file, null, 2),
  }
}

/** `home` is the user's folder, or the variable that a host replaces with it. */
const hostEntry = (options: HostOptions, home: string) => ({
  command: 'npx',
  args: argumentsOf(options),
  env: { BUYER_PRIVATE_KEY_FILE: `${home}/.config/format-checker/key` },
})

/** Links that add the server; none from a service that was not packed, whose command runs only in a clone. */
function hostLinks(options: HostOptions) {
  const { packages } = options
  if (packages.npx[0] === '--no') return []
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the hosts replace it with the user's folder
  const entry = hostEntry(options, '${userHome}')
  const config = encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString('base64'))
  const named = encodeURIComponent(JSON.stringify({ name: 'format-checker', ...entry }))
  const bundle = packages.files.find(({ url }) => url.endsWith('.mcpb'))
  return [
    ...(bundle
      ? [{ host: 'Claude Desktop', url: bundle.url, words: 'a bundle, which asks for the key' }]
      : []),
    {
      host: 'Cursor',
      url: `cursor://anysphere.cursor-deeplink/mcp/install?name=format-checker&config=${config}`,
      words: 'adds the server',
    },
    { host: 'VS Code', url: `vscode:mcp/install?${named}`, words: 'adds the server' },
  ]
}

const argumentsOf = ({ baseUrl, packages }: HostOptions): readonly string[] => [
  ...packages.npx,
  ...['mcp', '--url', baseUrl],
]
