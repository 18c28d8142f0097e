package import CrashStore

/// The regressions of groups that pages have shown.
package final class RegressionCache: Sendable {
  private let results = ResultCache<AppRegressions>()

  package init() {}

  /// - Parameters:
  ///   - group: `TERN-12`.
  ///   - find: Called if no result is cached, or it is too old.
  /// - Throws: The errors of `find`.
  package func regressions(
    of group: String, find: () throws -> AppRegressions
  ) throws -> AppRegressions {
    try results.value(of: group, find: find)
  }
}
