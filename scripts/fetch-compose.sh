#!/usr/bin/env bash
# Fetches docker compose as Debian packages it, for the benchmark to compare with. Installs nothing into the system.
# usage: fetch-compose.sh [FOLDER]   prints the path of the program; FOLDER defaults to .cache beside package.json
# COMPOSE_SUITE names the Debian suite (sid). Needs curl, xz and dpkg-deb, and a Debian mirror in apt's sources.
set -euo pipefail

folder=${1:-$(dirname "$0")/../.cache}
program=$folder/docker-compose
suite=${COMPOSE_SUITE:-sid}

fail() {
  echo "fetch-compose: $*" >&2
  exit 1
}

find_mirror() {
  find /etc/apt -name '*.list' -o -name '*.sources' | sort | xargs cat |
    sed -nE 's|^[^#]*(https?://[^ ]+/debian)/?( .*)?$|\1|p' | head -n 1
}

# The package index is a list of paragraphs; the wanted path is the Filename of ours.
find_package() {
  curl -fsSL "$1/dists/$suite/main/binary-$(dpkg --print-architecture)/Packages.xz" | xz -dc |
    sed -n '/^Package: docker-compose$/,/^$/ s/^Filename: //p'
}

if [ ! -x "$program" ]; then
  mirror=$(find_mirror)
  [ -n "$mirror" ] || fail "no Debian mirror in apt's sources; put docker-compose at $program yourself"
  path=$(find_package "$mirror")
  [ -n "$path" ] || fail "Debian $suite has no docker-compose"
  mkdir -p "$folder"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  curl -fsSL "$mirror/$path" -o "$work/compose.deb"
  dpkg-deb -x "$work/compose.deb" "$work/files"
  install -m 755 "$work/files/usr/libexec/docker/cli-plugins/docker-compose" "$program"
fi
realpath "$program"
