internal import Synchronization

/// The code locations that pages have shown, so that lists read no report twice.
package final class LocationCache: Sendable {
  /// A report and its title: reprocessing may change both title and location.
  package struct Key: Hashable, Sendable {
    let report: String
    let title: String

    package init(report: String, title: String) {
      self.report = report
      self.title = title
    }
  }

  /// The maximum number of locations kept, some 200 bytes each.
  private static let limit = 20_000

  private let locations = Mutex<[Key: String?]>([:])

  package init() {}

  /// The location; `nil` if the report has none, or it is unknown.
  package subscript(key: Key) -> String? { locations.withLock { $0[key] ?? nil } }

  package func isUnknown(_ key: Key) -> Bool { locations.withLock { $0[key] == nil } }

  /// - Parameter location: The location; `nil` if the report has none.
  package func keep(_ location: String?, for key: Key) {
    locations.withLock { locations in
      if locations.count >= Self.limit { locations.removeAll() }
      locations.updateValue(location, forKey: key)
    }
  }
}
