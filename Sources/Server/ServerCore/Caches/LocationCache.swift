internal import Synchronization

/// The code locations and frames that pages have shown, so that lists read no report twice.
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

  /// Where a report crashed.
  package struct Place: Sendable {
    /// `src/Renderer.cpp:88:12`; `nil` if the report has none.
    package var location: String?
    /// The first frames of the app's own code, as lines of text.
    package var frames: [String]

    package init(location: String?, frames: [String]) {
      self.location = location
      self.frames = frames
    }
  }

  /// The maximum number of places kept, some 700 bytes each.
  private static let limit = 10_000

  private let places = Mutex<[Key: Place]>([:])

  package init() {}

  /// The place; `nil` if it is unknown.
  package subscript(key: Key) -> Place? { places.withLock { $0[key] } }

  package func keep(_ place: Place, for key: Key) {
    places.withLock { places in
      if places.count >= Self.limit { places.removeAll() }
      places[key] = place
    }
  }
}
