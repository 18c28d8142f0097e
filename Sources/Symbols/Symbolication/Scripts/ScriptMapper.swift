internal import CrashModel
internal import Identifiers
internal import SourceMaps
internal import SymbolSources

/// Gives calls of JavaScript the functions, files and lines of its source, by source maps.
final class ScriptMapper: Sendable {
  private let search: MappingSearch
  private let pool = MappingPool<SourceMap>()

  init(search: MappingSearch) { self.search = search }

  /// Maps each stack of the report; images that stand for its scripts are added to it, with their statuses.
  ///
  /// - Parameter app: Whose report it is, by which the maps of its release are found.
  /// - Returns: The SHA-256 of the maps that were used, by debug id.
  /// - Throws: The error of a source of debug files that fails.
  func map(_ report: inout CrashReport, of app: String?) throws -> [DebugID: String] {
    let need = SourceMapRequest(of: report)
    guard !need.scripts.isEmpty else { return [:] }
    let release = Release(version: report.app.version ?? "", build: report.app.build ?? "")
    var choice = SourceMapSelection(need, of: report)
    try choice.find(with: search, in: pool) { script in
      app.flatMap {
        ReleaseIdentity.ofReport(app: $0, release: release, .sourceMap, of: script.name)
      }
    }
    let run = ScriptRewriter(choice)
    report.mapStacks { run.map($0) }
    report.images = choice.images
    report.notes += choice.notes
    return choice.digests
  }
}
