/** What can be said of the deployment files without a Docker daemon or a cluster. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { SETTINGS } from '../src/config/settings.ts'
import { type LiveConfig, readConfig } from '../src/config.ts'
import { checkGivenKeys } from '../src/main/check-given-keys.ts'
import { SHUTDOWN_GRACE_MS } from '../src/main/service.ts'
import { ROOT } from './support/command.ts'
import { scratchDir } from './support/service-process.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const { version, devDependencies } = JSON.parse(read('package.json'))
const settings = Object.keys(SETTINGS)

describe('Dockerfile', () => {
  const instructions = read('Dockerfile')
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => /^([A-Z]+)\s+(.*)$/s.exec(line.trim()))
  const of = (name: string) => instructions.flatMap((each) => (each?.[1] === name ? [each[2] ?? ''] : []))
  const last = (name: string) => of(name).at(-1) ?? ''

  test('has instructions only', () => {
    const known = [
      'FROM',
      'ARG',
      'WORKDIR',
      'COPY',
      'RUN',
      'ENV',
      'USER',
      'VOLUME',
      'EXPOSE',
      'HEALTHCHECK',
      'CMD',
    ]
    for (const each of instructions) expect(known).toContain(each?.[1])
  })

  test('is based on the pinned Node in every stage', () => {
    for (const base of of('FROM'))
      expect(base).toMatch(new RegExp(`^node:${devDependencies.node}-[a-z]+-slim`))
  })

  test('installs what the lock says, for running only, without install scripts', () => {
    expect(of('RUN').join('\n')).toMatch(/npm ci --omit=dev --ignore-scripts/)
    expect(of('COPY')[0]).toBe('package.json package-lock.json scripts/slim-modules.sh ./')
  })

  test('packs where all that is read for it was copied', () => {
    const [stage = ''] = read('Dockerfile')
      .split(/^FROM /m)
      .filter((each) => each.includes('npm run pack'))
    const copied = [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '))
    const isThere = (path: string) => copied.some((each) => path === each || path.startsWith(`${each}/`))
    const asked = [...read('scripts/pack.ts').matchAll(/(?:\bjoin\(ROOT, |\bread\()'([^']+)'/g)]
    const paths = asked.map(([, path = '']) => path).filter((path) => !/^(?:dist|node_modules)/.test(path))
    expect(paths.length).toBeGreaterThan(5)
    expect(paths.filter((path) => !isThere(path))).toEqual([])
  })

  test('has the manifests of our own packages wherever it installs, so that npm links them', () => {
    const own = globSync('packages/*', { cwd: ROOT }).map((path) => `${path}/package.json ${path}/`)
    const stages = read('Dockerfile').split(/^FROM /m)
    const beforeInstalls = stages.flatMap((stage) => stage.match(/^[\s\S]*?(?=^RUN npm ci)/m) ?? [])
    expect(beforeInstalls).toHaveLength(2)
    for (const before of beforeInstalls) for (const copy of own) expect(before).toContain(`COPY ${copy}\n`)
  })

  test('keeps no sources and no binaries of other platforms', () => {
    expect(of('RUN')[0]).toContain('sh slim-modules.sh node_modules')
    const slim = read('scripts/slim-modules.sh')
    for (const name of ['better-sqlite3', 'secp256k1']) {
      expect(slim).toContain(`find "$modules/${name}/prebuilds"`)
      // Every architecture of the bake file has a binary, or says in docs/operations.md that it has not.
      const names = readdirSync(join(ROOT, 'node_modules', name, 'prebuilds'))
      expect(names.some((each) => each.startsWith('linux-x64'))).toBe(true)
      if (!names.some((each) => each.startsWith('linux-arm64')))
        expect(read('docs/operations.md')).toContain(`no binary of \`${name}\` for arm64`)
    }
  })

  test('is built for both architectures, with a bill of materials and provenance, under this version', () => {
    const bake = read('docker-bake.hcl')
    expect(bake).toContain('platforms = ["linux/amd64", "linux/arm64"]')
    // A release replaces the tag of every stage by one digest.
    const [base] = /(?<=^FROM )\S+/m.exec(read('Dockerfile')) ?? []
    expect(bake).toMatch(new RegExp(`variable "BASE" \\{\\s+default = "${base}"`))
    expect(bake).toContain(`contexts  = { "${base}" = "docker-image://\${BASE}" }`)
    expect(bake).toContain('"type=sbom"')
    expect(bake).toContain('"type=provenance,mode=max"')
    expect(bake).toMatch(new RegExp(`variable "VERSION" \\{\\s+default = "${version}"`))
  })

  test('runs as an unprivileged user, without a shell or npm in between', () => {
    expect(last('USER')).toBe('node')
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: { start: string }
    }
    // As `npm start`, but for the bundle, and with less space.
    expect((JSON.parse(last('CMD')) as string[]).join(' ')).toBe(
      scripts.start
        // What looks for a Node that runs is for the clone; the image has its own.
        .replace(/^\(.*?\) && /, '')
        .replace('size=16', 'size=4')
        .replace('percent=30', 'percent=20')
        .replace('src/main.ts', 'dist/service/main.js'),
    )
    expect(of('RUN').join('\n')).toContain('npm run bundle')
    const names = instructions.map((each) => each?.[1])
    expect(names.lastIndexOf('USER')).toBeGreaterThan(names.lastIndexOf('RUN'))
    expect(names.lastIndexOf('USER')).toBeGreaterThan(names.lastIndexOf('COPY'))
  })

  test('refuses the sandbox, and brings no setting but that', () => {
    expect(of('ENV')).toEqual(['NODE_ENV=production', 'MALLOC_ARENA_MAX=1'])
  })

  test('asks for its health', () => {
    const [, command = ''] = /CMD (\[.*\])$/s.exec(last('HEALTHCHECK')) ?? []
    expect(JSON.parse(command)[2]).toContain('/healthz')
  })

  test('copies what is there and what the build is given, and all that the service reads', () => {
    const given = read('.dockerignore')
      .split('\n')
      .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))
    const copied = of('COPY')
      .filter((line) => !line.startsWith('--from'))
      .flatMap((line) => line.split(' ').slice(0, -1))
    for (const path of copied) {
      expect(existsSync(join(ROOT, path)), path).toBe(true)
      expect(given).toContain(path.split('/')[0])
    }
    const readAtBoot = globSync('src/**/*.ts', { cwd: ROOT })
      .flatMap((path) => [...read(path).matchAll(/new URL\('(?:\.\.\/)+([a-z-]+)[./']/g)])
      .flatMap(([, name = '']) => readdirSync(ROOT).filter((each) => each === name))
    expect(readAtBoot).toContain('skills')
    // dist/ is made in a stage of its own.
    for (const path of readAtBoot.filter((each) => each !== 'dist')) expect(copied).toContain(path)
    expect(of('COPY')).toContain('--from=packages /app/dist ./dist')
    // npx writes into its cache and into the package, so it runs in no container; the documents name what does.
    const commands = [...read('docs/operations.md').matchAll(/ node (bin)\/([\w.-]+) ([a-z]+)/g)]
    expect(commands.map(([, , , command]) => command)).toEqual(['doctor', 'doctor', 'reconcile'])
    for (const [, folder = '', file = ''] of commands) {
      expect(copied).toContain(folder)
      expect(existsSync(join(ROOT, folder, file))).toBe(true)
    }
  })
})

interface Container {
  readonly env: readonly { readonly name: string }[]
  readonly image: string
  readonly securityContext: Record<string, unknown>
  readonly startupProbe: Probe
  readonly readinessProbe: Probe
  readonly livenessProbe: Probe
}
interface Probe {
  readonly httpGet: { readonly path: string }
  readonly timeoutSeconds: number
}

describe('compose.yaml', () => {
  const { services } = parseYaml(read('compose.yaml')) as {
    services: Record<string, { environment: Record<string, string>; [member: string]: unknown }>
  }
  const service = services.service

  test('runs two replicas that write nowhere, and waits for calls under way', () => {
    expect(service).toMatchObject({
      deploy: { replicas: 2 },
      image: `format-checker:${version}`,
      read_only: true,
      cap_drop: ['ALL'],
    })
    expect(Number.parseInt(String(service?.stop_grace_period), 10) * 1000).toBeGreaterThan(SHUTDOWN_GRACE_MS)
  })

  test('sets what live mode on PostgreSQL needs, and nothing unknown', () => {
    const environment = service?.environment ?? {}
    for (const name of Object.keys(environment)) expect(settings).toContain(name.replace(/_FILE$/, ''))
    const given: Record<string, string> = {
      PAY_TO: `0x${'4f'.repeat(20)}`,
      BASE_URL: 'https://checks.example.com',
      FACILITATOR_URL: 'https://facilitator.example.com',
      RPC_URL: 'https://node.example.com',
    }
    const folder = scratchDir()
    execFileSync(join(ROOT, 'deploy/compose/make-secrets.sh'), [folder.path], { stdio: 'ignore' })
    const filled = Object.entries(environment).map(([name, text]) => [
      name,
      String(text)
        .replaceAll(
          /\$\{([A-Z_]+)(?::\?[^}]*|:-([^}]*))?\}/g,
          (_, key, otherwise) => given[key] ?? otherwise ?? '',
        )
        .replace('/run/secrets', folder.path),
    ])
    const config = readConfig(Object.fromEntries(filled)) as LiveConfig
    expect(config).toMatchObject({
      mode: 'live',
      store: { kind: 'postgres' },
      app: { limits: { trustedProxies: 1 } },
      admin: { port: 9464 },
    })
    expect(() => checkGivenKeys(config.app.keys)).not.toThrow()
    folder.remove()
  })

  test('keeps keys in files, and mounts only files that make-secrets.sh writes', () => {
    const folder = scratchDir()
    execFileSync(join(ROOT, 'deploy/compose/make-secrets.sh'), [folder.path], { stdio: 'ignore' })
    const { secrets } = parseYaml(read('compose.yaml')) as { secrets: Record<string, { file: string }> }
    expect(readdirSync(folder.path).sort()).toEqual(Object.keys(secrets).sort())
    expect(statSync(folder.path).mode & 0o777).toBe(0o700)
    folder.remove()
  })

  test.each(['self-settlement', 'key-rotation'])('the overlay %s sets known settings only', (name) => {
    const overlay = parseYaml(read(`deploy/compose/${name}.yaml`)) as {
      services: { service: { environment: Record<string, string> } }
    }
    for (const setting of Object.keys(overlay.services.service.environment)) {
      expect(settings).toContain(setting.replace(/_FILE$/, ''))
    }
  })

  test('forbids core files of the service, which would hold values', () => {
    const { services } = parseYaml(read('compose.yaml')) as { services: { service: { ulimits: object } } }
    expect(services.service.ulimits).toEqual({ core: 0 })
  })

  test('lets the balancer repeat a call that got no answer, because a repeat is never charged', () => {
    expect(read('compose.yaml')).toContain('proxy_next_upstream error timeout non_idempotent;')
  })
})

describe('deploy/kubernetes', () => {
  const documents = globSync('deploy/kubernetes/base/*.yaml', { cwd: ROOT })
    .flatMap((path) => read(path).split(/^---$/m))
    .map(
      (text) => parseYaml(text) as { kind: string; metadata: { name: string }; spec: Record<string, never> },
    )
  const [deployment] = documents.filter(({ kind }) => kind === 'Deployment')
  const pod = (deployment?.spec.template as unknown as { spec: Record<string, unknown> }).spec
  const [container] = pod.containers as [Container]

  test('has everything that the kustomization names, and nothing else', () => {
    expect(documents.map(({ kind }) => kind).sort()).toEqual([
      'Deployment',
      'HorizontalPodAutoscaler',
      'Ingress',
      'Job',
      'Kustomization',
      'NetworkPolicy',
      'PodDisruptionBudget',
      'Service',
      'Service',
    ])
    for (const overlay of ['base', 'monitoring']) {
      const folder = `deploy/kubernetes/${overlay}`
      const { resources } = parseYaml(read(`${folder}/kustomization.yaml`)) as { resources: string[] }
      const files = globSync('*.yaml', { cwd: join(ROOT, folder) })
      expect([...resources, 'kustomization.yaml'].sort()).toEqual(files.sort())
    }
  })

  test('leaves the pod the time that its shutdown takes', () => {
    const { lifecycle } = container as unknown as { lifecycle: { preStop: { sleep: { seconds: number } } } }
    const delay = (SETTINGS.SHUTDOWN_DELAY as unknown as { default: number }).default
    const needed = lifecycle.preStop.sleep.seconds + delay + SHUTDOWN_GRACE_MS / 1000
    expect(Number(pod.terminationGracePeriodSeconds)).toBeGreaterThan(needed)
  })

  test('runs two replicas of this version, not as root, that write nowhere', () => {
    // Their number is the autoscaler's: one in the deployment would undo its work at each `kubectl apply`.
    expect(deployment?.spec).not.toHaveProperty('replicas')
    expect(read('deploy/kubernetes/base/autoscaler.yaml')).toContain('minReplicas: 2')
    expect(container.image).toBe(`format-checker:${version}`)
    expect(container.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    })
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true },
    })
    expect(Number(pod.terminationGracePeriodSeconds) * 1000).toBeGreaterThan(SHUTDOWN_GRACE_MS)
  })

  test('names the migration by its version, since a job cannot be changed', () => {
    const job = documents.find(({ kind }) => kind === 'Job')
    expect(job?.metadata.name).toBe(`format-checker-migrate-${version.replaceAll('.', '-')}`)
  })

  test('an overlay lets a collector in from elsewhere, at the place where the base names its namespace', () => {
    const { patches } = parseYaml(read('deploy/kubernetes/collector-elsewhere/kustomization.yaml')) as {
      patches: { target: { kind: string }; patch: string }[]
    }
    const [{ target, patch }] = patches as [(typeof patches)[0]]
    const policy = documents.find(({ kind }) => kind === target.kind)
    for (const { path } of parseYaml(patch) as { path: string }[]) {
      const names = path
        .slice(1)
        .split('/')
        .map((name) => name.replaceAll('~1', '/'))
      const found = names.reduce((value: unknown, name) => (value as Record<string, unknown>)[name], policy)
      expect(found).toBe('monitoring')
    }
  })

  test('asks for what the service answers, and sets nothing it does not know', () => {
    expect(container.livenessProbe.httpGet.path).toBe('/healthz')
    expect(container.readinessProbe.httpGet.path).toBe('/readyz')
    expect(container.startupProbe.httpGet.path).toBe('/readyz')
    // Kubernetes' default of one second would restart a pod that is merely busy.
    for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe])
      expect(probe.timeoutSeconds).toBeGreaterThanOrEqual(3)
    for (const { name } of container.env) expect(settings).toContain(name)
    const named =
      read('deploy/kubernetes/base/deployment.yaml')
        .split('apiVersion')[0]
        ?.match(/[A-Z]+_[A-Z_]+/g) ?? []
    for (const name of named) expect(settings).toContain(name)
  })
})
