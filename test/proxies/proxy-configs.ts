import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/command.ts'

/** Where a proxy listens, what it forwards to, and a folder it may write to. */
export interface Route {
  readonly port: number
  readonly target: number
  readonly folder: string
}

export interface ProxyProgram {
  readonly name: string
  /** The Debian package that holds the program. */
  readonly package: string
  readonly program: string
  /** Arguments that keep it in the foreground. */
  args(route: Route): readonly string[]
  /** The configuration file: an address, a target, and nothing that tunes the proxy. */
  config(route: Route): string
  /** Speaks HTTP/2 with TLS to the client. */
  readonly http2?: true
}

const nginxMain = ({ folder }: Route, server: string): string => `
daemon off;
user root;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  ${server}
}
`

const nginx = (name: string, server: (route: Route) => string): ProxyProgram => ({
  name,
  package: 'nginx-light',
  program: '/usr/sbin/nginx',
  args: ({ folder }) => ['-e', `${folder}/error.log`, '-c', join(folder, 'config')],
  config: (route) => nginxMain(route, server(route)),
})

/** The block of the repository's own compose file, with its names replaced by addresses of this machine. */
function composeBlock({ port }: Pick<Route, 'port'>, targets: readonly number[]): string {
  const compose = readFileSync(join(ROOT, 'compose.yaml'), 'utf8')
  const block = /content: \|\n((?: {6}.*\n|\n)+)/.exec(compose)?.[1]
  if (block === undefined) throw new Error('compose.yaml has no nginx block')
  // A name that is looked up for each request, as there, has no count of failures that outlives the request.
  const servers = targets.map((target) => `server 127.0.0.1:${target} max_fails=0;`).join(' ')
  const server = block
    .replaceAll('$$', '$')
    .replace(/resolver [^;]+;/, '')
    .replace('listen 8080', `listen 127.0.0.1:${port}`)
    .replace('http://service:4021', 'http://replicas')
  return `upstream replicas { ${servers} }\n${server}`
}

/** nginx as compose.yaml runs it, before several replicas. */
export const composeNginx = (targets: readonly number[]): ProxyProgram =>
  nginx('the nginx block of compose.yaml', (route) => composeBlock(route, targets))

const haproxyConfig = (port: number, servers: string): string => `
defaults
  mode http
  timeout connect 10s
  timeout client 60s
  timeout server 60s
frontend public
  bind 127.0.0.1:${port}
  default_backend service
backend service
${servers}
`

const HAPROXY: ProxyProgram = {
  name: 'HAProxy',
  package: 'haproxy',
  program: '/usr/sbin/haproxy',
  args: ({ folder }) => ['-db', '-f', join(folder, 'config')],
  config: ({ port, target }) => haproxyConfig(port, `  server one 127.0.0.1:${target}`),
}

const serversOf = (targets: readonly number[]) =>
  targets.map((target, index) => `  server s${index} 127.0.0.1:${target}`).join('\n')

const nginxGroup = (name: string, targets: readonly number[], each: string, lines: string): ProxyProgram =>
  nginx(name, ({ port }) => {
    const servers = targets.map((target) => `server 127.0.0.1:${target}${each};`).join(' ')
    return `upstream replicas { ${servers} }
      server { listen 127.0.0.1:${port}; location / { proxy_pass http://replicas; proxy_set_header Host $host; ${lines} } }`
  })

const haproxyGroup = (name: string, targets: readonly number[], lines: string): ProxyProgram => ({
  ...HAPROXY,
  name,
  config: ({ port }) => haproxyConfig(port, `${lines}\n${serversOf(targets)}`),
})

const caddyGroup = (name: string, targets: readonly number[]): ProxyProgram => ({
  name,
  package: 'caddy',
  program: '/usr/bin/caddy',
  args: ({ folder }) => ['run', '--adapter', 'caddyfile', '--config', join(folder, 'config')],
  config: ({ port }) => `{
  admin off
}
http://127.0.0.1:${port} {
  reverse_proxy ${targets.map((target) => `127.0.0.1:${target}`).join(' ')}
}
`,
})

/** Groups of replicas as their programs have them by default. */
export const defaultGroups = (targets: readonly number[]): readonly ProxyProgram[] => [
  nginxGroup('an nginx group', targets, '', ''),
  haproxyGroup('a HAProxy group', targets, ''),
  caddyGroup('a Caddy group', targets),
]

/** The same with the lines of docs/operations.md, for a port that is closed while a replica restarts. */
export const patientGroups = (targets: readonly number[]): readonly ProxyProgram[] => [
  composeNginx(targets),
  nginxGroup(
    'an nginx group with max_fails=0',
    targets,
    ' max_fails=0',
    'proxy_next_upstream error timeout non_idempotent;',
  ),
  haproxyGroup(
    'a HAProxy group that goes to another replica',
    targets,
    '  option redispatch 1\n  retry-on conn-failure empty-response',
  ),
]

export const PROXIES: readonly ProxyProgram[] = [
  nginx(
    'nginx',
    ({ port, target }) =>
      `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${target}; } }`,
  ),
  {
    ...nginx(
      'nginx with HTTP/2',
      ({ port, target, folder }) => `server {
        listen 127.0.0.1:${port} ssl http2;
        ssl_certificate ${folder}/certificate.pem;
        ssl_certificate_key ${folder}/key.pem;
        location / { proxy_pass http://127.0.0.1:${target}; }
      }`,
    ),
    http2: true,
  },
  nginx('the nginx block of compose.yaml', (route) => composeBlock(route, [route.target])),
  HAPROXY,
  {
    name: 'Apache',
    package: 'apache2',
    program: '/usr/sbin/apache2',
    args: ({ folder }) => ['-X', '-f', join(folder, 'config')],
    config: ({ port, target, folder }) => `
ServerRoot ${folder}
ServerName 127.0.0.1
PidFile ${folder}/apache.pid
ErrorLog ${folder}/error.log
Listen 127.0.0.1:${port}
LoadModule mpm_event_module /usr/lib/apache2/modules/mod_mpm_event.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule proxy_module /usr/lib/apache2/modules/mod_proxy.so
LoadModule proxy_http_module /usr/lib/apache2/modules/mod_proxy_http.so
ProxyPass / http://127.0.0.1:${target}/
`,
  },
  {
    name: 'Varnish',
    package: 'varnish',
    program: '/usr/sbin/varnishd',
    args: ({ port, target, folder }) => [
      ...['-F', '-j', 'none', '-n', join(folder, 'varnish'), '-s', 'malloc,32m'],
      ...['-a', `127.0.0.1:${port}`, '-b', `127.0.0.1:${target}`],
    ],
    config: () => '',
  },
]
