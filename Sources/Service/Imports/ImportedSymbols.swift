internal import CrashService
internal import CrashStore
internal import Identifiers
internal import SymbolSources

/// Debug files among the files of an export.
struct ImportedSymbols {
  let context: ImportContext
  /// `nil` for debug files of all apps.
  let app: String?
  /// Files, archives and bundles in which debug files may be.
  var paths: [(path: String, isBundle: Bool)] = []

  init(context: ImportContext, app: String?) {
    self.context = context
    self.app = app
  }

  /// - Parameter path: The path of a file, or of a member of an archive, that is not a report.
  mutating func add(fileOrArchive path: String) {
    let onDisk = path.split(separator: "!").first.map(String.init) ?? path
    if paths.last?.path != onDisk { paths.append((onDisk, isBundle: false)) }
  }

  /// Stores the debug files.
  ///
  /// - Parameter release: Returns the release that the files at a path belong to; `nil` if it is unknown.
  /// - Returns: The paths that were taken or named in the result.
  /// - Throws: The store's errors.
  func take(
    into result: inout ImportResult, release: (String) -> Release?
  ) throws -> Set<String> {
    var seen: Set<String> = []
    var used: Set<String> = []
    for (path, isBundle) in paths where seen.insert(path).inserted {
      let scan = DebugFileScanner().scan([path])
      guard !scan.files.isEmpty || !scan.mappings.isEmpty || !scan.bundles.isEmpty else {
        if isBundle {
          result.leave(
            path, scan.refusals.first?.reason ?? "there is no debug file in it",
            isDamaged: !scan.refusals.isEmpty)
        }
        continue
      }
      let known = app.flatMap { app in release(path).map { (app: app, release: $0) } }
      let verdicts = try DebugFileIngest(store: context.store, release: known, app: app)
        .store(scan)
      for verdict in verdicts {
        switch verdict.outcome {
        case .added: result.debugFiles += 1
        case .known: break
        case .refused:
          result.leave(
            verdict.path, verdict.reason ?? "a debug file that is refused",
            isDamaged: verdict.isDamaged)
        }
        used.insert(verdict.path)
        // A bundle in an archive was met as one.
        if let end = verdict.path.range(of: ".dSYM/") {
          used.insert(String(verdict.path[..<verdict.path.index(before: end.upperBound)]))
        }
      }
      for refusal in scan.refusals {
        result.leave(refusal.path, refusal.reason, isDamaged: true)
        used.insert(refusal.path)
      }
    }
    return used
  }
}

extension String {
  /// The first range of `text`.
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) {
        return start..<index(start, offsetBy: text.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
