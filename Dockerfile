# Two stages: the first installs what production needs, the second carries only that.
FROM oven/bun:1.4.5-slim AS dependencies
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
RUN bun install --frozen-lockfile --production

FROM oven/bun:1.4.5-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
COPY --from=dependencies /app/node_modules ./node_modules
# .dockerignore lists what this is.
COPY . ./
# A container then starts with three fifths of the CPU. Without it the sources run, so a failure is no reason to have no
# image: compiling refuses files that the builder's clock takes to be of the future.
RUN bun src/cli/precompile.ts || true
# User 1000, whom the database and the master key belong to and nobody else may read.
RUN mkdir -m 700 /data && chown bun:bun /data
USER bun
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=3s --start-period=5s --retries=3 \
  CMD ["bun", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Exec form: the server itself gets SIGTERM and drains.
CMD ["bun", "src/main.ts"]
