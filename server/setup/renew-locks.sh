#!/usr/bin/env bash
# Writes the lock files of the Python environments anew from pyproject.toml; needs uv. Each lists one environment wholly, for every
# platform, with the hashes of its files. Versions stay while pyproject.toml admits them; to renew one, delete its lines first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

compile() {
  uv pip compile pyproject.toml --quiet --universal --generate-hashes --no-emit-index-url --no-header --no-annotate "$@"
}

compile --output-file requirements.lock
compile --extra laboratory --constraint requirements.lock --output-file requirements-laboratory.lock
compile --extra laboratory --extra site --constraint requirements-laboratory.lock --output-file requirements-site.lock
compile --extra laboratory --extra site --extra test --constraint requirements-site.lock --output-file requirements-test.lock
compile --extra test --extra train --constraint requirements-test.lock --output-file requirements-train.lock
# torch, and what its usual wheel wants of graphics cards, is installed apart (python-environments.ts says why).
awk '/^[a-z]/ { is_left_out = /^(torch|triton|nvidia-.*|cuda-.*)==/ } !is_left_out' requirements-train.lock >requirements-train.lock.new
mv requirements-train.lock.new requirements-train.lock
# On top of either environment: the versions of both.
compile --extra laboratory --extra cluster --constraint requirements-test.lock --constraint requirements-train.lock \
  --output-file requirements-cluster.lock
