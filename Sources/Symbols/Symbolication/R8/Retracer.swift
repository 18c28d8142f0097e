internal import CrashModel
internal import Identifiers
internal import Retracing
internal import SymbolSources

/// Gives calls of Java and Kotlin the names and lines of their source, by mappings of R8 and ProGuard.
final class Retracer: Sendable {
  private let search: MappingSearch
  private let pool = MappingPool<R8Mapping>()

  init(search: MappingSearch) { self.search = search }

  /// The report with the names and lines of its source wherever a mapping gives them, inlined calls as frames
  /// of their own; the images that stand for the mappings are added to it, with their statuses.
  ///
  /// - Parameter app: Whose report it is, by which the mapping of its release is found.
  /// - Returns: The SHA-256 of the mappings that were used, by debug id.
  /// - Throws: The error of a source of debug files that fails.
  func retrace(_ report: inout CrashReport, of app: String?) throws -> [DebugID: String] {
    let need = R8MappingRequest(of: report, app: app)
    guard !need.isEmpty else { return [:] }
    var choice = R8MappingSelection(need, of: report)
    try choice.find(with: search, in: pool)
    var run = R8Rewriter(choice)
    run.retrace(&report)
    report.images = choice.images
    report.notes += choice.notes + run.notes
    return choice.digests
  }
}
