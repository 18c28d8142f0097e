#!/bin/bash
# Looks over what the recipes made: no traces of the machine, no report without its debug file, sizes.
#
#     Symbols/recipes/check-samples.sh [HOST]
#
# HOST is the name of the machine that made them; CI, which makes none, gives none.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."

status=0
complain() { echo "check-samples: $*" >&2; status=1; }

# Paths and names of this machine, in reports and inside (also compressed) debug files.
pattern='(^|[^a-z])/(tmp|root|home|work|build|builds|mnt|var/tmp)/'
host=${1:-}
[ ${#host} -lt 4 ] || pattern="$pattern|$host"
for file in $(find Samples Symbols -type f ! -path 'Symbols/recipes/*' ! -name '*.md'); do
  case $file in
    *.debug | Symbols/variants/*)
      plain=$(mktemp)
      objcopy --decompress-debug-sections "$file" "$plain" 2>/dev/null || cp "$file" "$plain"
      found=$(strings -n 6 "$plain" | grep -E -m 3 "$pattern" || :)
      rm -f "$plain"
      ;;
    *) found=$(strings -n 6 "$file" | grep -E -m 3 "$pattern" || :) ;;
  esac
  # /app/build is where the objects lay, /build/reproducible-path where Debian built gcc's runtimes, and every
  # Java machine maps a file of the third kind.
  found=$(grep -vE '/app/build/|/build/reproducible-path/|/tmp/hsperfdata_' <<<"$found" || :)
  [ -z "$found" ] || complain "$file holds: $found"
done

# Each module of the programs named in a report has a debug file.
known=$(cat Symbols/*/build-ids.tsv | cut -f 1 | tr 'A-Z' 'a-z' | tr -d -)
for id in $(grep -rhoE '/tern\+0x[0-9a-f]+\) \(BuildId: [0-9a-f]+|\(tern\+0x[0-9a-f]+\) \(BuildId: [0-9a-f]+' Samples/sanitizer |
  sed 's/.*BuildId: //' | sort -u) \
  $(grep -rhoE '[0-9a-f]{40} +tern-desk' Samples/swift-backtrace | cut -d ' ' -f 1 | sort -u); do
  grep -q "$id" <<<"$known" || complain "no debug file for $id"
done
for name in $(grep -rhoE 'tern-[0-9.]+-gcc-[a-z]+-O[0-9]' Samples/sanitizer | sort -u); do
  [ -f "Symbols/gcc/$name.debug" ] || complain "no debug file for $name"
done

# Sizes: single files and all together.
find Samples Symbols -type f -size +2048k | while read -r file; do complain "$file is larger than 2 MiB"; done
total=$(find Samples Symbols -type f -printf '%s\n' | awk '{sum += $1} END {print int(sum / 1024)}')
[ "$total" -lt 24576 ] || complain "all files together: $total KiB"
echo "check-samples: $(find Samples -type f | wc -l) samples, $total KiB with the debug files" >&2
exit $status
