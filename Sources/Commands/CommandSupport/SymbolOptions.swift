package import Arguments
internal import Bytes
package import Identifiers
package import Pipeline
package import SymbolSources
package import Symbolication
package import Terminal
internal import ObjectStorage
internal import Rendering

/// The debug files of a command without a store.
package struct SymbolOptions {
  @Option(
    "-s", "--symbols",
    help:
      "Debug files: files, folders, dSYM bundles, archives, s3://BUCKET/KEY, or the output of symbols index.",
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
  /// - Parameter cache: Where compiled debug files are kept; `nil` for nowhere.
  /// - Throws: ``FileError`` for a path that does not exist; ``ParseError`` for a damaged index;
  ///   ``ObjectStorageError``.
  package func find(_ console: Console, cache: SymbolCacheOptions?) throws -> GivenSymbols {
    var given = GivenSymbols(caches: try cache?.caches(console) ?? GivenCaches())
    guard !paths.isEmpty else { return given }
    let addresses = try paths.filter { ObjectAddress.isMeant(by: $0) }.map {
      try ObjectAddress(parsing: $0)
    }
    let paths = paths.filter { !ObjectAddress.isMeant(by: $0) }
    try InputPaths.check(paths)
    let copies = CommandObjects.copies()
    var others: [String] = []
    for path in paths {
      if IndexedSymbols.isIndex(path) {
        given.indexes.append(try IndexedSymbols(at: path, copies: copies))
      } else {
        others.append(path)
      }
    }
    guard !others.isEmpty || !addresses.isEmpty else { return given }
    let bar = ProgressBar("Looking for debug files", isOn: console.isErrorTerminal)
    bar.update(0, of: nil)
    defer { bar.finish() }
    if !others.isEmpty { given.scan = DebugFileScanner().scan(others) }
    try given.add(addresses, from: copies, bar)
    return given
  }
}

/// The debug files that a command was given.
package struct GivenSymbols: Sendable {
  /// The files below paths, indexes left out.
  package fileprivate(set) var scan = DebugFileScan()
  /// Indexes of others.
  package fileprivate(set) var indexes: [IndexedSymbols] = []
  private let caches: GivenCaches

  fileprivate init(caches: GivenCaches) { self.caches = caches }

  /// Adds what is at addresses on S3: an index, or debug files.
  fileprivate mutating func add(
    _ addresses: [ObjectAddress], from copies: ObjectCopies, _ bar: ProgressBar
  ) throws {
    var seen: Set<ObjectAddress> = []
    var count = 0
    for address in addresses {
      let objects = try copies.store().objects(at: address).filter {
        seen.insert($0.address).inserted
      }
      if objects.count == 1, objects[0].address == address {
        let copy = try copies.copy(of: ObjectVersion(objects[0]))
        if let index = try IndexedSymbols(copy, copies: copies) {
          indexes.append(index)
          continue
        }
      }
      scan.append(
        try DebugFileScanner().scan(objects, from: copies) {
          count += 1
          bar.update(count, of: nil)
        })
    }
  }

  /// The symbolicator that uses these files.
  package var symbolicator: Symbolicator {
    Symbolicator(
      sources: sources, pool: SymbolCachePool(folder: caches.folder, shared: caches.shared))
  }

  /// Waits until compiled debug files are stored on S3 for other machines.
  package func finish() { caches.shared?.finish() }

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
