#!/usr/bin/env bash
# Installs by name what is missing: `build` the libraries, `test` what the tests need, `bench` the load tools.
set -euo pipefail
cd "$(dirname "$0")/.."

build_packages=(libmicrohttpd-dev libgnutls28-dev libsqlite3-dev libsodium-dev zlib1g-dev libre2-dev libstdc++-12-dev
  libcurl4-gnutls-dev libvips42 ca-certificates pkg-config tzdata)
test_packages=(strace openssl nodejs node-moment libheif-examples chromium)
bench_packages=(wrk gcc libc6-dev nginx-light)

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

missing() { for name in "$@"; do dpkg -s "$name" >/dev/null 2>&1 || printf '%s ' "$name"; done; }

install_packages() {
  local names
  names=$(missing "$@")
  [ -n "$names" ] || return 0
  echo "installing: $names"
  as_root apt-get update -qq
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $names >/dev/null
}

make_environment() {
  local folder=.tools/venv list=EndToEnd/requirements.txt stamp=.tools/venv/.installed
  if [ -f "$stamp" ] && cmp -s "$list" "$stamp"; then return 0; fi
  mkdir -p .tools
  python3 -m venv "$folder" 2>/dev/null || { install_packages python3-venv; python3 -m venv --clear "$folder"; }
  "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$list"
  cp "$list" "$stamp"
}

for part in "$@"; do
  case "$part" in
    build) install_packages "${build_packages[@]}" ;;
    test) install_packages "${test_packages[@]}"; make_environment ;;
    bench) install_packages "${bench_packages[@]}" ;;
    *) echo "setup.sh: unknown part $part" >&2; exit 64 ;;
  esac
done
command -v swift >/dev/null || { echo "The Swift toolchain (6.2 or later) is needed: https://swift.org/install" >&2; exit 69; }
