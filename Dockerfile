# nuwa-stream in a container: page, film and media server. compose.yaml runs it as it is meant to be run;
# server/RUN-IT-FOR-OTHERS.md has the steps.
ARG BASE=node:22-bookworm-slim

FROM ${BASE} AS base
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 \
    && rm -rf /var/lib/apt/lists/*
# npm leaves out what only development needs.
ENV NODE_ENV=production

FROM base AS built
RUN apt-get update && apt-get install -y --no-install-recommends python3-venv
COPY . /opt/nuwa-stream
WORKDIR /opt/nuwa-stream
RUN node server/setup/bootstrap.mjs prepare \
    && .venv/bin/python -m pip uninstall --yes --quiet pip \
    && rm -rf .build/setup/*.log \
    # The page is built: of what it was made from the set-up only looks whether it is there.
    && find node_modules/dashjs node_modules/onnxruntime-web -type f ! -name package.json -delete

FROM base
COPY --from=built /opt/nuwa-stream /opt/nuwa-stream
WORKDIR /opt/nuwa-stream
RUN mkdir -p .build/media /data && chown 1000:1000 .build/media /data
# The image's user `node`. By a name nobody can tell that it is not root (Kubernetes' runAsNonRoot).
USER 1000:1000
# With an arena for each thread the web server keeps some 130 MB more after a crowd's telemetry.
ENV MALLOC_ARENA_MAX=2
# A thread for each core in each worker would wait for work that there is not.
ENV OPENBLAS_NUM_THREADS=1
# For `--version`; there is no history in the image.
ARG COMMIT=
ENV NUWA_COMMIT=${COMMIT}
LABEL org.opencontainers.image.revision=${COMMIT}
ENV NUWA_HOST=0.0.0.0 NUWA_UDP_PORT=4433 NUWA_WORKERS=2 NUWA_DATA=/data
# The page; the media server's two workers, and the two lanes of an emulated link.
EXPOSE 8080/tcp 4433-4436/udp
# Packaged films, and telemetry.
VOLUME ["/opt/nuwa-stream/.build/media", "/data"]
# The first start encodes the demo film.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10m CMD ["node", "server/deploy/healthcheck.mjs"]
ENTRYPOINT ["node", "server/setup/bootstrap.mjs", "start"]
