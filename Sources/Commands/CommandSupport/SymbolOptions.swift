package import Arguments
package import Pipeline
package import SymbolSources
package import Symbolication
package import Terminal

/// The debug files of a command without a store.
package struct SymbolOptions {
  @Option(
    "-s", "--symbols", help: "Debug files: files, folders, dSYM bundles, archives.", value: "PATH")
  package var paths: [String] = []
  @Flag(
    "--require-symbols", help: "Exit with 6 if an image of the app lacks symbols.")
  package var isRequired

  package init() {}

  /// The debug files under the paths.
  ///
  /// - Throws: ``FileError`` for a path that does not exist.
  package func scan(_ console: Console) throws -> DebugFileScan {
    guard !paths.isEmpty else { return DebugFileScan() }
    try InputPaths.check(paths)
    let bar = ProgressBar("Looking for debug files", isOn: console.isErrorTerminal)
    bar.update(0, of: nil)
    defer { bar.finish() }
    return DebugFileScanner().scan(paths)
  }
}

extension DebugFileScan {
  /// The symbolicator that uses these files; caches stay in memory.
  package var symbolicator: Symbolicator {
    Symbolicator(sources: [DebugFileIndex(self)], pool: SymbolCachePool())
  }

  package var refused: [RefusedFile] {
    refusals.map { RefusedFile(source: $0.path, reason: $0.reason) }
  }
}
