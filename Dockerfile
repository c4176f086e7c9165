# Two stages: npm and its cache stay behind in the first. npm links our own packages, by their manifests.
FROM node:26.10.0-bookworm-slim AS dependencies
# amd64 or arm64, set by BuildKit.
ARG TARGETARCH
WORKDIR /app
COPY package.json package-lock.json scripts/slim-modules.sh ./
COPY packages/checks/package.json packages/checks/
COPY packages/command/package.json packages/command/
# The prebuilt better-sqlite3 needs no compiler; no package runs a script of its own.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && sh slim-modules.sh node_modules "$TARGETARCH"

# The service as one bundle, and the tarballs that it gives to its buyers.
FROM node:26.10.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json tsconfig.json server.json LICENSE NOTICE CHANGELOG.md ./
COPY packages/checks/package.json packages/checks/
COPY packages/command/package.json packages/command/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY bin/package.json bin/
COPY scripts ./scripts
COPY packages ./packages
COPY src ./src
COPY skills ./skills
# The address that the bundle of Claude Desktop is filled in with.
ARG BASE_URL
RUN npm run pack && npm run bundle && rm -r dist/command dist/checks

FROM node:26.10.0-bookworm-slim
ENV NODE_ENV=production
# Each of glibc's arenas keeps what its threads have freed: one for all keeps some 15 MB less, and takes no more time.
ENV MALLOC_ARENA_MAX=1
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE NOTICE CHANGELOG.md CONTRIBUTING.md SECURITY.md ./
COPY bin ./bin
COPY packages ./packages
COPY src ./src
COPY skills ./skills
COPY agent-card ./agent-card
COPY docs ./docs
COPY --from=packages /app/dist ./dist
# For DATA_DIR=/data; nothing else is ever written, so the root may be read-only.
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 4021
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 4021) + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No npm in between: signals reach the service itself.
CMD ["node", "--disable-sigusr1", "--max-semi-space-size=4", "--heap-growing-percent=20", "--no-allocation-site-pretenuring", "dist/service/main.js"]
