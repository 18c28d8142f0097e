package import Arguments
internal import Bytes
package import Identifiers
package import Pipeline
package import SymbolSources
package import Symbolication
package import Terminal
internal import Rendering

/// The debug files of a command without a store.
package struct SymbolOptions {
  @Option(
    "-s", "--symbols",
    help: "Debug files: files, folders, dSYM bundles, archives, or the output of symbols index.",
    value: "PATH")
  package var paths: [String] = []
  @Flag(
    "--require-symbols", help: "Exit with 6 if an image of the app lacks symbols.")
  package var isRequired

  package init() {}

  /// The debug files under the paths, none of which is an index.
  ///
  /// - Throws: ``FileError`` for a path that does not exist; ``CommandFailure`` for an index.
  package func scan(_ console: Console) throws -> DebugFileScan {
    let given = try find(console, cache: nil)
    if let index = given.indexes.first {
      throw CommandFailure(
        "\(index.path.printable) is an index of debug files, which this command cannot use: "
          + "name their folder")
    }
    return given.scan
  }

  /// The debug files under the paths.
  ///
  /// - Parameter cache: The folder of compiled debug files.
  /// - Throws: ``FileError`` for a path that does not exist; ``ParseError`` for a damaged index.
  package func find(_ console: Console, cache: String?) throws -> GivenSymbols {
    var given = GivenSymbols(cache: cache)
    guard !paths.isEmpty else { return given }
    try InputPaths.check(paths)
    var others: [String] = []
    for path in paths {
      if IndexedSymbols.isIndex(path) {
        given.indexes.append(try IndexedSymbols(at: path))
      } else {
        others.append(path)
      }
    }
    guard !others.isEmpty else { return given }
    let bar = ProgressBar("Looking for debug files", isOn: console.isErrorTerminal)
    bar.update(0, of: nil)
    defer { bar.finish() }
    given.scan = DebugFileScanner().scan(others)
    return given
  }
}

/// The debug files that a command was given.
package struct GivenSymbols: Sendable {
  /// The files below paths that are no indexes.
  package fileprivate(set) var scan = DebugFileScan()
  /// Indexes of others.
  package fileprivate(set) var indexes: [IndexedSymbols] = []
  private let cache: String?

  fileprivate init(cache: String?) { self.cache = cache }

  /// The symbolicator that uses these files.
  package var symbolicator: Symbolicator {
    Symbolicator(sources: sources, pool: SymbolCachePool(folder: cache))
  }

  package var sources: [any SymbolSource] {
    indexes + (scan.isEmpty && !indexes.isEmpty ? [] : [DebugFileIndex(scan)])
  }

  /// Files that should be debug files and cannot be used.
  package var refusals: [DebugFileRefusal] { indexes.flatMap(\.refusals) + scan.refusals }

  /// A digest of all of them: see ``DebugFileScan/digest``.
  package var digest: String {
    guard !indexes.isEmpty else { return scan.digest }
    let digests = indexes.map(\.digest) + (scan.isEmpty ? [] : [scan.digest])
    return digests.joined(separator: "+")
  }

  /// The bundles of sources of a build.
  package func bundles(of id: DebugID) throws -> [SourceBundleFile] {
    try indexes.flatMap { try $0.bundles(of: id) } + scan.bundles.filter { $0.debugID == id }
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
