internal import Bytes
internal import Segments

/// Counts of rows of a segment for ``GroupCountsOfQuery``.
struct SegmentCounts {
  /// A group is the origin of its rows.
  let groups: [OriginCount]
  private(set) var releases: [OriginValueCount] = []
  /// The group and the installation of each row.
  private(set) var installGroups: [Int] = []
  private(set) var installs: [Int] = []

  /// - Throws: `ParseError` where the file is damaged.
  init(
    _ rows: RowSet, of part: SearchSegments.Part, versions: Bool, installs: Bool
  ) throws(ParseError) {
    groups = try part.segment.countsByOrigin(of: rows)
    if versions { releases = try part.segment.countsByOrigin(and: .release, of: rows) }
    if installs {
      installGroups = try part.segment.values(of: .origin, at: rows)
      self.installs = try part.segment.values(of: .install, at: rows)
    }
  }
}
