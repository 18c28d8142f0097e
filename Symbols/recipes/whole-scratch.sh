# Sourced by whole.sh and whole-systems.sh: runs them again with a scratch folder as /srv, in a mount namespace and
# an environment of their own. Dumps hold the environment and the paths of the process.
set -euo pipefail
export LC_ALL=C TZ=UTC
recipes=$(cd "$(dirname "$0")" && pwd)
symbols=$(dirname "$recipes")
samples=$(dirname "$symbols")/Samples
if [ -z "${WHOLE_WORK:-}" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv SWIFT_HOME="${SWIFT_HOME:-/opt/swift}" WHOLE_WORK="$work" \
    unshare --mount "$0"
  exit
fi
mount --bind "$WHOLE_WORK" /srv
unset WHOLE_WORK
