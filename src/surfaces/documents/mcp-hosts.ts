/**
 * For Claude, Cursor, VS Code. The entry names only the file of the key: others could read a key in a link or in a
 * shell's history.
 */
import { type Packages, shellLine } from './packages.ts'

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
      links.length > 0 ? WORDS : `${WORDS} Not packed: these lines start its source, after npm ci there.`,
    line: `claude mcp add format-checker --env BUYER_PRIVATE_KEY_FILE=$HOME/.config/format-checker/key -- ${hostCommand(options)}`,
    links,
    file: JSON.stringify(file, null, 2),
  }
}

/** `home` is the user's folder, or the variable that a host replaces with it. */
const hostEntry = (options: HostOptions, home: string) => ({
  command: commandOf(options)[0],
  args: commandOf(options).slice(1),
  env: { BUYER_PRIVATE_KEY_FILE: `${home}/.config/format-checker/key` },
})

/** Links that add the server; none from a service that was not packed, whose readers may not have its source. */
function hostLinks(options: HostOptions) {
  const { packages } = options
  if (packages.command[0] === 'node') return []
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

/** How any host starts the server, for a shell. */
export const hostCommand = (options: HostOptions): string => shellLine(commandOf(options))

const commandOf = ({ baseUrl, packages }: HostOptions): readonly string[] => [
  ...packages.command,
  ...['mcp', '--url', baseUrl],
]
