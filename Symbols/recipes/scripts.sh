#!/bin/sh
# Makes Symbols/scripts: a bundle of `tern` for Node, minified by esbuild 0.17.0 (Debian's package), with its
# source map, and what Node 20 prints when it and its source die of a price that is missing.
set -e
cd "$(dirname "$0")/.."
rm -rf scripts && mkdir scripts
esbuild recipes/scripts/src/main.js --bundle --minify --platform=node --format=cjs --sourcemap \
  --outfile=scripts/tern.min.js --log-level=error
# The paths in what Node prints are those of the machine that made them: `/srv/tern` stands for them.
node scripts/tern.min.js 2> scripts/minified.txt || true
node recipes/scripts/src/main.js 2> scripts/source.txt || true
sed -i "s|file://$PWD/recipes/scripts|/srv/tern|; s|$PWD/recipes/scripts|/srv/tern|; s|$PWD/scripts|/srv/tern|" \
  scripts/minified.txt scripts/source.txt
