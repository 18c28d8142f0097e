import CrashService
import CrashStore
import Identifiers
import Pipeline
import Query

extension MissingSymbols {
  /// Images whose debug files are missing in the reports that a store received since a time, the app's own first.
  ///
  /// - Throws: `DatabaseError`.
  static func list(in store: CrashStore, since start: Timestamp) throws -> [MissingSymbols] {
    let query = Query(conditions: [Condition(receivedSince: start)])
    return try store.debugFiles.missing(of: query).images.map { image in
      MissingSymbols(
        name: image.name, debugID: image.debugID, codeID: nil, architecture: image.architecture,
        reports: image.reports, isOwn: image.isOwn)
    }
  }
}
