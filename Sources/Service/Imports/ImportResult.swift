/// The outcome of an import: the data that it took, and the files that it left.
package struct ImportResult: Sendable {
  /// Reports that were not here before.
  package var reports = 0
  /// Reports that were here before.
  package var known = 0
  /// Ids of the groups that the reports are in.
  package var groups: Set<String> = []
  /// Groups of the other system whose state and notes were taken now.
  package var decisions = 0
  package var attachments = 0
  package var debugFiles = 0
  /// Releases that were not here before.
  package var releases = 0
  /// Files of releases.
  package var artefacts = 0
  package var distributionGroups = 0
  package var testers = 0
  /// The items that were not taken, in the order in which they were found.
  package private(set) var left: [LeftItem] = []
  /// Items left beyond the limit of ``left``.
  package private(set) var more = 0

  /// A file, or a part of one, that was not taken.
  package struct LeftItem: Hashable, Sendable {
    package var path: String
    /// A description of it, and why it was not taken.
    package var reason: String
    /// Whether it may hold something that another attempt could take.
    package var isDamaged: Bool
  }

  /// The most items that are named.
  private static let mostItems = 10_000

  /// Whether something could not be read.
  package var isIncomplete: Bool { left.contains { $0.isDamaged } || more > 0 }

  package init() {}

  mutating func leave(_ path: String, _ reason: String, isDamaged: Bool = false) {
    guard left.count < Self.mostItems else {
      more += 1
      return
    }
    left.append(LeftItem(path: path, reason: reason, isDamaged: isDamaged))
  }
}
