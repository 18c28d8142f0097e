# Inside: tern-desk, Swift over a C++ core, run into its bugs under the Swift backtracer.
. /app/recipes/shell.sh

program=/app/bin/tern-desk

# desk VERSION LEVEL NAME: builds it, and keeps its debug information.
desk() {
  build_desk "$@"
  file_debug "/app/bin/$3" $out/debug/desk zlib "tern-desk $1, swiftc $2 -g, core by clang -O2 -g"
}

# crash FILE LAYOUT SETTINGS COMMAND...: SETTINGS are added to SWIFT_BACKTRACE.
crash() {
  local file=$out/swift-backtrace/$1 layout=$2 settings=$3
  shift 3
  capture "$file" "$layout" env SWIFT_BACKTRACE="enable=yes,color=no$settings" "$@"
}

mkdir -p $out/debug/desk

for version in 1.0.0 1.1.0; do
  sources desk $version
  desk $version -Onone tern-desk-debug
  desk $version -O tern-desk
  strip -o /app/bin/tern-desk-stripped /app/bin/tern-desk
  mkdir -p /app/stripped
  mv /app/bin/tern-desk-stripped /app/stripped/tern-desk

  debug=/app/bin/tern-desk-debug release=/app/bin/tern-desk stripped=/app/stripped/tern-desk

  # The standard report, and what it becomes without symbols, as JSON, and from a stripped program.
  for bug in index-out-of-range:show:7 forced-unwrap:greet:9 fatal-error:open:sales.txt async-index:sync:1:2:5 \
    core-null-read:core:quill \
    core-exception:list:quill; do
    IFS=: read -r name command first second third <<<"$bug"
    set -- "$command" "$first" ${second:+"$second"} ${third:+"$third"}
    crash "$name-$version-debug.txt" fixed "" $debug "$@"
    if [ $name = core-exception ]; then
      # libc keeps no frame pointers: the walk ends in it, and two reports of that are enough.
      crash "$name-$version-release.json" fixed ",format=json" $release "$@"
      continue
    fi
    crash "$name-$version-release.txt" random ",threads=crashed" $release "$@"
    crash "$name-$version-release-addresses.txt" random ",symbolicate=off,images=all" $release "$@"
    case $name in
      index-out-of-range | async-index | core-null-read)
        crash "$name-$version-stripped.txt" random ",registers=none,images=all" $stripped "$@"
        crash "$name-$version-debug-after-text.json" fixed ",format=json" $debug batch "$@"
        ;;
      *)
        rm -rf /app/json && mkdir /app/json
        capture /app/home/stderr fixed env SWIFT_BACKTRACE=enable=yes,format=json,images=all,output-to=/app/json \
          $release "$@"
        mv /app/json/* "$out/swift-backtrace/$name-$version-release.json"
        crash "$name-$version-release-addresses-after-text.json" random ",symbolicate=off,format=json,images=all" \
          $release batch "$@"
        ;;
    esac
  done

  # Deep: the middle of the stack is left out.
  crash "stack-overflow-$version-debug.txt" fixed "" $debug depth owls
  crash "stack-overflow-$version-release.txt" fixed ",registers=none" $release depth owls
  crash "stack-overflow-$version-release-addresses.json" fixed ",symbolicate=off,format=json,images=all" \
    $release depth owls

  case $version in
    1.0.0)
      crash arithmetic-overflow-$version-debug.txt fixed "" $debug total 3000000
      crash arithmetic-overflow-$version-release.txt random ",preset=medium" $release total 3000000
      crash arithmetic-overflow-$version-release-addresses.txt random ",symbolicate=off,images=all" $release total 3000000
      crash arithmetic-overflow-$version-debug-after-text.json fixed ",format=json" $debug batch total 4000000
      ;;
    *)
      crash precondition-$version-debug.txt fixed ",preset=friendly" $debug share 0
      crash precondition-$version-release.txt random "" $release share 0
      crash precondition-$version-release-addresses.txt random ",symbolicate=off,images=all" $release share -1
      crash precondition-$version-debug-after-text.json fixed ",format=json" $debug batch share 0
      # Colours as a terminal gets them.
      crash forced-unwrap-$version-debug-colour.txt fixed ",color=yes" $debug greet 11
      ;;
  esac
done
